/** Whose an order or a position is: the strategy's, by what it is called, or a person's. */
export function formatOwner(isByHand: boolean, strategy: string | undefined): string | undefined {
  return isByHand ? 'Manual' : strategy
}

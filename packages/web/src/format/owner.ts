/** The owner of an order or a position: a strategy's name, or 'Manual'. */
export function formatOwner(isManual: boolean, strategy: string | undefined): string | undefined {
  return isManual ? 'Manual' : strategy
}

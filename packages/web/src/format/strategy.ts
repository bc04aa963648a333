import { MANUAL_STRATEGY } from '@binnacle/contract'

/** Whose an order or a position is: the strategy's name, its id while no name is known, or a person's. */
export function formatStrategy(id: string | undefined, name: string | undefined): string | undefined {
  return id === MANUAL_STRATEGY ? 'Manual' : (name ?? id)
}

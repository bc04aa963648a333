import { allCalls } from '@binnacle/contract'

/** A call that every listener serves counts once. */
export function countCalls(): number {
  return new Set(allCalls().map(({ endpoint }) => endpoint)).size
}

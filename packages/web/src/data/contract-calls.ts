import { allCalls } from '@binnacle/contract'

/** The routes of all listeners, as API Configuration lists them: each has a health call of its own. */
export function countCalls(): number {
  return allCalls().length
}

import type { Component } from '@binnacle/contract'

const ONLINE = new Set(['running', 'active'])

/** TRD-4 */
export function countOnline(components: readonly Component[]): number {
  return components.filter(({ status }) => ONLINE.has(status)).length
}

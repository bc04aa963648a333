import type { ConnectionAbilities } from '@binnacle/contract'

/** A connection with every ability. */
export const EVERY_ABILITY: ConnectionAbilities = {
  language: 'sql',
  write: true,
  explain: true,
  sort: true,
  filter: true,
  backup: true,
  restore: true,
}

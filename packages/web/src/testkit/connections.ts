import type { ConnectionAbilities } from '@binnacle/contract'

/** What a connection tells of itself that can do everything. */
export const EVERY_ABILITY: ConnectionAbilities = {
  language: 'sql',
  write: true,
  explain: true,
  sort: true,
  filter: true,
  backup: true,
  restore: true,
}

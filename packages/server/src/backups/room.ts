import type { AdminStore } from '#storage/admin-store.ts'
import type { Step } from './kind.ts'
import type { KindOf } from './kinds.ts'
import type { Source } from './source.ts'
import type { Vault } from './vault.ts'

/** What all work on backups needs. */
export interface Room {
  vault: Vault
  store: Pick<AdminStore, 'backups' | 'audit'>
  kindOf: KindOf
  now: () => Date
  step: Step
}

/** A connection as backups see it. */
export interface Subject {
  id: string
  name: string
  source: Source
  /** Closes what this server itself has open of the store, before it is replaced. */
  release(): Promise<void>
}

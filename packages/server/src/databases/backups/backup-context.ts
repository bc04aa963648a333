import type { BackupDriverFor, Source, StepHook } from '@binnacle/stores'
import type { AdminStore } from '#storage/admin-store.ts'
import type { Vault } from './vault.ts'

/** Dependencies of all backup work. */
export interface BackupContext {
  vault: Vault
  store: Pick<AdminStore, 'backups' | 'audit'>
  driverFor: BackupDriverFor
  now: () => Date
  step: StepHook
  /** The id of the next backup. Its manifest carries it, so it survives a loss of the catalogue. */
  nextId(): number
}

/** A store to back up, by connection. */
export interface Subject {
  id: string
  /** Backups belong to it: the id may be given out again. */
  identity: string
  name: string
  source: Source
  /** Closes this server's own connections before the store is replaced. */
  release(): Promise<void>
}

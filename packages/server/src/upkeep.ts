import { type Backups, openBackups } from '#backups/backups.ts'
import { createKinds } from '#backups/kinds.ts'
import type { PostgresTools } from '#backups/postgres/postgres-tools.ts'
import { createRounds, type Rounds } from '#backups/rounds.ts'
import { type BackupSubjects, createBackupSubjects } from '#database/backup-subjects.ts'
import type { DatabaseService } from '#database/database-service.ts'
import { createKeptStores, type KeptStores } from '#maintenance/stores.ts'
import type { AdminStore } from '#storage/admin-store.ts'

/** What keeps the stores safe: backups of every connection, and the stores that maintenance works on. */
export interface Upkeep {
  backups: Backups
  subjects: BackupSubjects
  rounds: Rounds
  stores: KeptStores
}

export interface UpkeepOptions {
  /** The folder of the backups. */
  folder: string
  store: AdminStore
  database: DatabaseService
  postgresTools?: PostgresTools
  postgresUrl?: string | undefined
  redisUrl?: string | undefined
  note?: (event: string, message: string) => void
}

export async function openUpkeep(options: UpkeepOptions): Promise<Upkeep> {
  const { folder, store, database, postgresTools = { path: '' }, postgresUrl, redisUrl, note } = options
  const subjects = createBackupSubjects(database.databases, database.places)
  const backups = await openBackups({
    folder,
    store,
    kindOf: createKinds(postgresTools),
    ...(note && { note }),
  })
  const stores = createKeptStores({ postgresUrl, redisUrl, connections: () => subjects.all() })
  return { backups, subjects, rounds: createRounds(backups), stores }
}

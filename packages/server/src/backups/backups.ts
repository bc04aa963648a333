import type { Act } from '#audit/act.ts'
import type { JobControl } from '#jobs/job.ts'
import type { BackupRow } from '#storage/admin/admin-tables.ts'
import { adoptOrphans } from './adopt.ts'
import { findWhole, makeCatalogued, removeExpired, retentionOf } from './catalogue.ts'
import { type DrillReport, drillNewest } from './drill.ts'
import { createTurns } from './in-turn.ts'
import type { Step } from './kind.ts'
import type { KindOf } from './kinds.ts'
import { restoreBackup } from './restore-backup.ts'
import type { Retention } from './retention.ts'
import type { Room, Subject } from './room.ts'
import { placeOfSource } from './source.ts'
import { isThere, settleSwaps } from './swaps.ts'
import { openVault, type Vault } from './vault.ts'

export interface BackupView extends Omit<BackupRow, 'status'> {
  path: string
  status: BackupRow['status'] | 'missing'
}

/** Backups that are proven, and what is done with them. One thing at a time for each connection and each store. */
export interface Backups {
  list(connection: string): Promise<BackupView[]>
  find(connection: string, id: number): Promise<BackupView | undefined>
  make(act: Act, subject: Subject, control: JobControl): Promise<BackupRow>
  /** Puts a connection's data back, or changes nothing. Tells the safety backup, if there was anything to save. */
  restore(act: Act, subject: Subject, backupId: number, control: JobControl): Promise<BackupRow | undefined>
  /** Restores the newest backup to where it harms nothing. */
  drill(subject: Subject, control: JobControl): Promise<DrillReport>
  retentionOf(connection: string): Promise<Retention>
  setRetention(act: Act, connection: string, retention: Retention): Promise<void>
}

export interface BackupsNeeds {
  folder: string
  store: Room['store']
  kindOf: KindOf
  now?: () => Date
  step?: Step
  /** Told of what an earlier server had left to be looked after. */
  note?: (event: string, message: string) => void
}

/** Opens the backups, after ending what a killed server left undone. */
export async function openBackups(needs: BackupsNeeds): Promise<Backups> {
  const { folder, store, note = () => {} } = needs
  const vault = await openVault(folder)
  for (const place of await settleSwaps(vault.swaps)) note('restore.finished', place)
  await vault.sweep()
  await adoptOrphans(vault, store.backups, note)
  return createBackups(vault, needs)
}

function createBackups(vault: Vault, needs: BackupsNeeds): Backups {
  const room: Room = { now: () => new Date(), step: () => {}, ...needs, vault }
  const turns = createTurns()
  // A connection's backups are one list, and two connections that lead to one file would restore over each other.
  const inTurn = <Result>({ id, source }: Subject, work: () => Promise<Result>) =>
    turns(id, () => turns(placeOfSource(source), work))
  const catalogue = needs.store.backups

  async function viewOf(row: BackupRow): Promise<BackupView> {
    const path = vault.at(row.name)
    return { ...row, path, status: (await isThere(path)) ? row.status : 'missing' }
  }

  return {
    list: async (connection) => Promise.all((await catalogue.list(connection)).map(viewOf)),
    async find(connection, id) {
      const row = await catalogue.find(id)
      return row?.connection === connection ? viewOf(row) : undefined
    },
    make: (act, subject, control) =>
      inTurn(subject, async () => {
        const row = await makeCatalogued(room, { act, subject, backupType: 'full' }, control)
        await removeExpired(room, subject.id, control)
        return row
      }),
    restore: (act, subject, backupId, control) =>
      inTurn(subject, async () => {
        const backup = await findWhole(room, subject.id, backupId)
        return restoreBackup(room, { act, subject, backup }, control)
      }),
    drill: (subject, control) => inTurn(subject, () => drillNewest(room, subject, control)),
    retentionOf: (connection) => retentionOf(room, connection),
    setRetention: (act, connection, { keepNewest, keepDays }) =>
      catalogue.setRetention(act, { connection, keep_newest: keepNewest, keep_days: keepDays }),
  }
}

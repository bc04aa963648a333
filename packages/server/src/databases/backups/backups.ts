import type { BackupDriverFor, JobControl, StepHook } from '@binnacle/stores'
import { finishSwaps, locationOfSource, pathExists } from '@binnacle/stores'
import type { BackupRow } from '#storage/admin/admin-tables.ts'
import type { AuditContext } from '#storage/audit/audit-context.ts'
import type { FreeSpace } from '#storage/disk-space.ts'
import { withDiskWatch } from '#storage/disk-watch.ts'
import { adoptOrphans } from './adopt.ts'
import type { BackupContext, Subject } from './backup-context.ts'
import { findCompleted, type MadeBackup, makeCatalogued, removeExpired, retentionOf } from './catalogue.ts'
import { type DrillReport, drillNewest } from './drill.ts'
import { createKeyedMutex } from './keyed-mutex.ts'
import { restoreBackup } from './restore-backup.ts'
import type { Retention } from './retention.ts'
import { clearStagedStores, withStagingNote } from './staging-notes.ts'
import { openVault, type Vault } from './vault.ts'

export interface BackupView extends Omit<BackupRow, 'status'> {
  path: string
  status: BackupRow['status'] | 'missing'
}

/** Makes, restores and drills backups. Work on one connection or store runs one at a time. */
export interface Backups {
  /** Backups of the connection with the identity. */
  list(identity: string): Promise<BackupView[]>
  /** Backups whose connection no longer exists. */
  listRemoved(): Promise<BackupView[]>
  /** A backup of any connection. */
  find(id: number): Promise<BackupView | undefined>
  make(audit: AuditContext, subject: Subject, control: JobControl): Promise<MadeBackup>
  /** Restores a backup, of any connection, or changes nothing. Returns the safety backup, if there was data to save. */
  restore(
    audit: AuditContext,
    subject: Subject,
    backupId: number,
    control: JobControl,
  ): Promise<BackupRow | undefined>
  /** Restores the newest backup into a scratch location. */
  drill(subject: Subject, control: JobControl): Promise<DrillReport>
  /** Removes the data that a killed server prepared inside one of these stores. */
  clearStaging(subjects: readonly Subject[]): Promise<void>
  retentionOf(identity: string): Promise<Retention>
  setRetention(audit: AuditContext, identity: string, retention: Retention): Promise<void>
}

export interface BackupsOptions {
  folder: string
  store: BackupContext['store']
  driverFor: BackupDriverFor
  now?: () => Date
  step?: StepHook
  freeSpace?: FreeSpace
  /** Called for work that a killed server left. */
  note?: (event: string, message: string) => void
}

/** Opens the backups after completing what a killed server left. */
export async function openBackups(options: BackupsOptions): Promise<Backups> {
  const { folder, store, note = () => {} } = options
  const vault = await openVault(folder)
  for (const place of await finishSwaps(vault.swaps)) note('restore.finished', place)
  await vault.sweep()
  await adoptOrphans(vault, store.backups, note)
  return createBackups(vault, options, await store.backups.lastId())
}

function createBackups(vault: Vault, options: BackupsOptions, lastId: number): Backups {
  const disk = { folder: options.folder, freeSpace: options.freeSpace }
  let id = lastId
  const nextId = () => (id += 1)
  const context: BackupContext = { now: () => new Date(), step: () => {}, ...options, vault, nextId }
  const mutex = createKeyedMutex()
  // Locks the connection and the data: two connections may lead to the same file.
  const withLock = <Result>({ id, source }: Subject, work: () => Promise<Result>) =>
    mutex(id, () => mutex(locationOfSource(source), work))
  const catalogue = options.store.backups

  async function viewOf(row: BackupRow): Promise<BackupView> {
    const path = vault.at(row.name)
    return { ...row, path, status: (await pathExists(path)) ? row.status : 'missing' }
  }

  return {
    list: async (identity) => Promise.all((await catalogue.list(identity)).map(viewOf)),
    listRemoved: async () => Promise.all((await catalogue.listRemoved()).map(viewOf)),
    async find(id) {
      const row = await catalogue.find(id)
      return row && viewOf(row)
    },
    make: (audit, subject, jobControl) =>
      withLock(subject, () =>
        withDiskWatch(disk, jobControl, async (control) => {
          const made = await makeCatalogued(context, { audit, subject, backupType: 'full' }, control)
          await removeExpired(context, subject.identity, control)
          return made
        }),
      ),
    restore: (audit, subject, backupId, jobControl) =>
      withLock(subject, () =>
        withDiskWatch(disk, jobControl, async (control) => {
          const backup = await findCompleted(context, backupId)
          return withStagingNote(context, subject, () =>
            restoreBackup(context, { audit, subject, backup }, control),
          )
        }),
      ),
    drill: (subject, jobControl) =>
      withLock(subject, () =>
        withDiskWatch(disk, jobControl, (control) =>
          withStagingNote(context, subject, () => drillNewest(context, subject, control)),
        ),
      ),
    clearStaging: (subjects) => clearStagedStores(context, subjects, options.note ?? (() => {})),
    retentionOf: (identity) => retentionOf(context, identity),
    setRetention: (audit, identity, { keepNewest, keepDays }) =>
      catalogue.setRetention(audit, { connection: identity, keep_newest: keepNewest, keep_days: keepDays }),
  }
}

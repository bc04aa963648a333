import assert from 'node:assert/strict'
import { type Act, actOfServer } from '#audit/act.ts'
import { type JobControl, JobFailure } from '#jobs/job.ts'
import type { BackupRow } from '#storage/admin/admin-tables.ts'
import { rowOf } from './adopt.ts'
import { makeBackup, verifyBackup } from './make-backup.ts'
import type { ReadManifest } from './manifest.ts'
import { DEFAULT_RETENTION, expired, type Retention } from './retention.ts'
import type { Room, Subject } from './room.ts'
import { isThere } from './swaps.ts'

export interface BackupAsked {
  act: Act
  subject: Subject
  /** 'full' when a person or a task asked for it, 'safety' before a restore. */
  backupType: string
}

/** Makes a backup; its row comes last. */
export async function makeCatalogued(
  { vault, store, kindOf, now, step }: Room,
  { act, subject, backupType }: BackupAsked,
  control: JobControl,
): Promise<BackupRow> {
  const { id, name, source } = subject
  const at = now()
  const head = {
    name: vault.newName(id, at),
    connection: id,
    connection_name: name,
    type: source.type,
    backup_type: backupType,
    created_at: at.toISOString(),
  }
  let row: BackupRow | undefined
  const catalogue = async (manifest: ReadManifest) => {
    row = await store.backups.add(act, rowOf(manifest))
  }
  await makeBackup({ vault, kind: kindOf(source.type), source, head, catalogue, step }, control)
  assert(row)
  return row
}

/** The completed backup of that number, or the newest. */
export async function findWhole({ store }: Room, connection: string, id?: number): Promise<BackupRow> {
  const rows = await store.backups.list(connection)
  const row = rows.find((one) => one.status === 'completed' && (id === undefined || one.id === id))
  if (row === undefined) throw new JobFailure('There is no completed backup of this connection.')
  return row
}

/** Reads all of a backup. One that is no longer what was written is marked, and never offered again. */
export async function verifyCatalogued(
  { vault, store, kindOf }: Room,
  row: BackupRow,
  control: JobControl,
): Promise<ReadManifest> {
  try {
    const manifest = await verifyBackup(vault.at(row.name), kindOf(row.type), control)
    if (manifest.sha256 === row.manifest_sha256) return manifest
    throw new JobFailure('The backup is another than the one that was made.')
  } catch (fault) {
    if (fault instanceof JobFailure) await store.backups.markDamaged(actOfServer('backups.verify'), row.id)
    throw fault
  }
}

export async function retentionOf({ store }: Room, connection: string): Promise<Retention> {
  const row = await store.backups.retentionOf(connection)
  return row === undefined ? DEFAULT_RETENTION : { keepNewest: row.keep_newest, keepDays: row.keep_days }
}

export async function removeExpired(room: Room, connection: string, control: JobControl): Promise<void> {
  const { vault, store, now } = room
  const retention = await retentionOf(room, connection)
  for (const row of expired(await store.backups.list(connection), retention, now())) {
    if (await isThere(vault.at(row.name))) await vault.remove(row.name)
    await store.backups.remove(actOfServer('backups.expire'), row.id)
    control.log(`Backup ${row.id} of ${row.created_at} is past its time and was removed.`)
  }
}

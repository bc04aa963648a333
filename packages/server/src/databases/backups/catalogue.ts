import assert from 'node:assert/strict'
import { type JobControl, JobFailure, pathExists } from '@binnacle/stores'
import type { BackupRow } from '#storage/admin/admin-tables.ts'
import { type AuditContext, serverAuditContext } from '#storage/audit/audit-context.ts'
import { rowOf } from './adopt.ts'
import type { BackupContext, Subject } from './backup-context.ts'
import { makeBackup, verifyBackup } from './make-backup.ts'
import type { ReadManifest } from './manifest.ts'
import { DEFAULT_RETENTION, findExpired, type Retention } from './retention.ts'
import { targetOf } from './target.ts'

export interface BackupRequest {
  audit: AuditContext
  subject: Subject
  /** 'full' on request of a user or task, 'safety' before a restore. */
  backupType: string
}

export interface MadeBackup extends BackupRow {
  /** What the backup could not verify. */
  warnings: string[]
}

/** Makes a backup and adds its row to the catalogue as the last step. */
export async function makeCatalogued(
  { vault, store, driverFor, now, step, nextId }: BackupContext,
  { audit, subject, backupType }: BackupRequest,
  control: JobControl,
): Promise<MadeBackup> {
  const { id, identity, name, source } = subject
  const at = now()
  const head = {
    id: nextId(),
    name: vault.newName(id, at),
    connection: id,
    identity,
    target: targetOf(source),
    connection_name: name,
    type: source.type,
    backup_type: backupType,
    created_at: at.toISOString(),
  }
  let row: BackupRow | undefined
  const catalogue = async (manifest: ReadManifest) => {
    row = await store.backups.add(audit, rowOf(manifest, identity))
  }
  const warnings: string[] = []
  const warn = (sentence: string) => {
    warnings.push(sentence)
    control.log(`Warning: ${sentence}`)
  }
  const kind = driverFor(source.type)
  await makeBackup({ vault, kind, source, head, catalogue, step }, { ...control, warn })
  assert(row)
  return { ...row, warnings }
}

/** The newest completed backup of a connection. */
export async function findNewest({ store }: BackupContext, identity: string): Promise<BackupRow> {
  const row = (await store.backups.list(identity)).find(({ status }) => status === 'completed')
  if (row === undefined) throw new JobFailure('This connection has no completed backup.')
  return row
}

/** The completed backup with the id, of any connection. */
export async function findCompleted({ store }: BackupContext, id: number): Promise<BackupRow> {
  const row = await store.backups.find(id)
  if (row?.status !== 'completed') throw new JobFailure(`There is no completed backup ${id}.`)
  return row
}

/** Verifies a backup. A damaged one is marked and never offered again. */
export async function verifyCatalogued(
  { vault, store, driverFor }: BackupContext,
  row: BackupRow,
  control: JobControl,
): Promise<ReadManifest> {
  try {
    const manifest = await verifyBackup(vault.at(row.name), driverFor(row.type), control)
    if (manifest.sha256 === row.manifest_sha256) return manifest
    throw new JobFailure('The manifest differs from the one in the catalogue.')
  } catch (fault) {
    if (fault instanceof JobFailure)
      await store.backups.markDamaged(serverAuditContext('backups.verify'), row.id)
    throw fault
  }
}

export async function retentionOf({ store }: BackupContext, identity: string): Promise<Retention> {
  const row = await store.backups.retentionOf(identity)
  return row === undefined ? DEFAULT_RETENTION : { keepNewest: row.keep_newest, keepDays: row.keep_days }
}

export async function removeExpired(
  context: BackupContext,
  identity: string,
  control: JobControl,
): Promise<void> {
  const { vault, store, now } = context
  const retention = await retentionOf(context, identity)
  for (const row of findExpired(await store.backups.list(identity), retention, now())) {
    if (await pathExists(vault.at(row.name))) await vault.remove(row.name)
    await store.backups.remove(serverAuditContext('backups.expire'), row.id)
    control.log(`Backup ${row.id} of ${row.created_at} removed: past its retention.`)
  }
}

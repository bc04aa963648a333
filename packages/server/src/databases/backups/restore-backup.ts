import { join } from 'node:path'
import type { StepHook } from '@binnacle/stores'
import { type JobControl, JobFailure } from '@binnacle/stores'
import type { BackupRow } from '#storage/admin/admin-tables.ts'
import { type AuditContext, serverAuditContext } from '#storage/audit/audit-context.ts'
import type { BackupContext, Subject } from './backup-context.ts'
import { makeCatalogued, verifyCatalogued } from './catalogue.ts'
import { CONTENTS } from './manifest.ts'

export interface RestoreRequest {
  audit: AuditContext
  subject: Subject
  backup: BackupRow
}

/**
 * Verifies the backup, makes a safety backup, restores to a temporary location, verifies and swaps; or fails without any
 * change. Returns the safety backup, if there was data to save.
 */
export async function restoreBackup(
  context: BackupContext,
  request: RestoreRequest,
  control: JobControl,
): Promise<BackupRow | undefined> {
  const { vault, driverFor } = context
  const { subject, backup } = request
  const kind = driverFor(subject.source.type)
  const step: StepHook = async (name) => {
    control.signal.throwIfAborted()
    control.log(`${name[0]?.toUpperCase()}${name.slice(1)}.`)
    await context.step(name)
  }
  if (backup.type !== subject.source.type)
    throw new JobFailure('The backup belongs to another type of database.')
  await step('verify the backup')
  const { counts } = await verifyCatalogued(context, backup, control)
  await step('take a safety backup')
  const isThere = await kind.exists(subject.source)
  const safety = isThere
    ? await makeCatalogued(context, { audit: SAFETY_BACKUP, subject, backupType: 'safety' }, control)
    : undefined
  const from = join(vault.at(backup.name), CONTENTS)
  const note = join(vault.swaps, `${backup.name}.json`)
  try {
    await kind.restore(subject.source, { from, counts, note, step, release: subject.release }, control)
  } catch (fault) {
    await recordOutcome(context, request, safety, 'failed')
    throw fault instanceof JobFailure ? new JobFailure(`${fault.message} Nothing was changed.`) : fault
  }
  // A driver opened during the restore may still hold the old file.
  await subject.release()
  await context.step('record the outcome')
  await recordOutcome(context, request, safety, 'restored')
  control.progress(1, 'Restored.')
  return safety
}

const SAFETY_BACKUP = serverAuditContext('backups.save')

/** The audit record of the outcome. The record of the job holds the request. */
async function recordOutcome(
  { store }: BackupContext,
  { audit, subject, backup }: RestoreRequest,
  safety: BackupRow | undefined,
  state: 'failed' | 'restored',
): Promise<void> {
  await store.audit.record(audit, {
    entity: 'connection',
    target: subject.id,
    before: safety === undefined ? null : { saved_as: safety.id },
    after: { restore_of: backup.id, name: backup.name, state },
  })
}

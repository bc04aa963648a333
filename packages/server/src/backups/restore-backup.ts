import { join } from 'node:path'
import { type Act, actOfServer } from '#audit/act.ts'
import { type JobControl, JobFailure } from '#jobs/job.ts'
import type { BackupRow } from '#storage/admin/admin-tables.ts'
import { makeCatalogued, verifyCatalogued } from './catalogue.ts'
import type { Step } from './kind.ts'
import { CONTENTS } from './manifest.ts'
import type { Room, Subject } from './room.ts'

export interface RestoreAsked {
  act: Act
  subject: Subject
  backup: BackupRow
}

/**
 * Verifies, saves what there is, restores beside, verifies that, swaps; or fails having changed nothing. Tells the
 * safety backup, if there was anything to save.
 */
export async function restoreBackup(
  room: Room,
  asked: RestoreAsked,
  control: JobControl,
): Promise<BackupRow | undefined> {
  const { vault, kindOf } = room
  const { subject, backup } = asked
  const kind = kindOf(subject.source.type)
  const step: Step = async (name) => {
    control.signal.throwIfAborted()
    control.log(`${name[0]?.toUpperCase()}${name.slice(1)}.`)
    await room.step(name)
  }
  if (backup.type !== subject.source.type) throw new JobFailure('The backup is of another kind of store.')
  await step('verify the backup')
  const { counts } = await verifyCatalogued(room, backup, control)
  await step('take a safety backup')
  const isThere = await kind.exists(subject.source)
  const safety = isThere
    ? await makeCatalogued(room, { act: SAVING, subject, backupType: 'safety' }, control)
    : undefined
  const from = join(vault.at(backup.name), CONTENTS)
  const note = join(vault.swaps, `${backup.name}.json`)
  try {
    await kind.restore(subject.source, { from, counts, note, step, release: subject.release }, control)
  } catch (fault) {
    await tell(room, asked, safety, 'failed')
    throw fault instanceof JobFailure ? new JobFailure(`${fault.message} Nothing was changed.`) : fault
  }
  // Whoever opened it meanwhile may have the old one.
  await subject.release()
  await room.step('record the outcome')
  await tell(room, asked, safety, 'restored')
  return safety
}

const SAVING = actOfServer('backups.save')

/** Afterwards; that it was asked for is told by the line of its job. */
async function tell(
  { store }: Room,
  { act, subject, backup }: RestoreAsked,
  safety: BackupRow | undefined,
  state: 'failed' | 'restored',
): Promise<void> {
  await store.audit.record(act, {
    entity: 'connection',
    target: subject.id,
    before: safety === undefined ? null : { saved_as: safety.id },
    after: { restore_of: backup.id, name: backup.name, state },
  })
}

import { readdir, readFile, rm } from 'node:fs/promises'
import { JobFailure, writeDurably } from '@binnacle/stores'
import * as z from 'zod'
import type { BackupContext, Subject } from './backup-context.ts'

const PREFIX = '.staging-'

const StagingNote = z.object({ identity: z.string() })

/**
 * Runs work that prepares data inside the store itself, as a restore of Redis does. A server that is killed meanwhile
 * leaves the note, and the next start clears the store.
 */
export async function withStagingNote<Result>(
  { vault, driverFor }: BackupContext,
  { identity, source }: Subject,
  work: () => Promise<Result>,
): Promise<Result> {
  if (driverFor(source.type).clearStaging === undefined) return work()
  const note = vault.at(`${PREFIX}${crypto.randomUUID()}.json`)
  await writeDurably(note, JSON.stringify({ identity }))
  try {
    return await work()
  } finally {
    await rm(note, { force: true })
  }
}

/** Clears the stores that a killed server left staged data in. The note of an unreachable one stays. */
export async function clearStagedStores(
  { vault, driverFor }: BackupContext,
  subjects: readonly Subject[],
  report: (event: string, message: string) => void,
): Promise<void> {
  const root = vault.at('')
  for (const name of (await readdir(root)).filter((one) => one.startsWith(PREFIX))) {
    const note = vault.at(name)
    const identity = identityIn(await readFile(note, 'utf8'))
    if (identity === undefined) {
      report('restore.not-cleared', `${note} is damaged. Clear the staged data of its store, then delete it.`)
      continue
    }
    const subject = subjects.find((one) => one.identity === identity)
    try {
      if (subject !== undefined) {
        await driverFor(subject.source.type).clearStaging?.(subject.source)
        report('restore.cleared', subject.name)
      }
      await rm(note, { force: true })
    } catch (fault) {
      if (!(fault instanceof JobFailure)) throw fault
      report('restore.not-cleared', `${subject?.name}: ${fault.message}`)
    }
  }
}

/** Undefined for a damaged note: it must not be removed, since the store still holds what it stands for. */
function identityIn(text: string): string | undefined {
  try {
    return StagingNote.safeParse(JSON.parse(text)).data?.identity
  } catch {
    return undefined
  }
}

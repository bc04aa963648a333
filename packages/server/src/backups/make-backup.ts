import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { type JobControl, JobFailure } from '#jobs/job.ts'
import { syncTree } from './durable-files.ts'
import type { BackupKind, Step } from './kind.ts'
import {
  CONTENTS,
  checkFiles,
  type Manifest,
  type ReadManifest,
  readManifest,
  writeManifest,
} from './manifest.ts'
import type { Counts, Source } from './source.ts'
import type { Vault } from './vault.ts'

/** The numbered steps of a backup. Killed before any of them, there is no backup or a whole one. */
export const BACKUP_STEPS = [
  'make the folder under a temporary name',
  'write',
  'sync',
  'checksum',
  'verify',
  'give it its name',
  'add it to the catalogue',
] as const

export interface BackupOrder {
  vault: Vault
  kind: BackupKind
  source: Source
  head: Omit<Manifest, 'format' | 'files' | 'counts'>
  /** The last step: only what is in the catalogue is offered for a restore. */
  catalogue(manifest: ReadManifest): Promise<void>
  step?: Step
}

/** Makes a backup, or leaves nothing behind and says why. */
export async function makeBackup(order: BackupOrder, control: JobControl): Promise<ReadManifest> {
  const { vault, head } = order
  const step = async (number: number) => {
    control.signal.throwIfAborted()
    const name = BACKUP_STEPS[number - 1] ?? ''
    control.progress(number / (BACKUP_STEPS.length + 1), `Step ${number} of ${BACKUP_STEPS.length}: ${name}.`)
    await order.step?.(name)
  }
  await step(1)
  const folder = await vault.begin(head.name)
  try {
    const manifest = await fill(folder, order, control, step)
    await step(6)
    await vault.finish(head.name)
    await step(7)
    await order.catalogue(manifest)
    return manifest
  } catch (fault) {
    await vault.drop(folder)
    throw explain(fault)
  }
}

async function fill(
  folder: string,
  { kind, source, head }: BackupOrder,
  control: JobControl,
  step: (number: number) => Promise<void>,
): Promise<ReadManifest> {
  const contents = join(folder, CONTENTS)
  await mkdir(contents, { mode: 0o700 })
  await step(2)
  const counts = await kind.write(source, contents, control)
  await step(3)
  await syncTree(folder)
  await step(4)
  await writeManifest(folder, { ...head, counts }, control.signal)
  await step(5)
  return verifyBackup(folder, kind, control)
}

/** Reads all of a backup: its files as they were written, its contents as they were counted. */
export async function verifyBackup(
  folder: string,
  kind: BackupKind,
  control: JobControl,
): Promise<ReadManifest> {
  const manifest = await readManifest(folder)
  await checkFiles(folder, manifest, control.signal)
  refuseOtherCounts(await kind.verify(join(folder, CONTENTS), control), manifest.counts)
  return manifest
}

export function refuseOtherCounts(found: Counts, written: Counts): void {
  if (isDeepStrictEqual({ ...found }, { ...written })) return
  const names = [...new Set([...Object.keys(found), ...Object.keys(written)])]
  const name = names.find((one) => found[one] !== written[one])
  throw new JobFailure(
    `The contents are not those that were backed up: ${name} has ${found[name ?? ''] ?? 'no'} rows, not ${written[name ?? ''] ?? 'none'}.`,
  )
}

function explain(fault: unknown): unknown {
  const { code } = Object(fault)
  if (code === 'ENOSPC' || code === 'EDQUOT') {
    return new JobFailure('The disk is full. Nothing was left behind; make room and try again.')
  }
  return fault
}

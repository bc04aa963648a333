import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { BackupControl, BackupDriver, StepHook } from '@binnacle/stores'
import { checkCounts, type JobControl, JobFailure, type Source, syncTree } from '@binnacle/stores'
import {
  CONTENTS,
  checkFiles,
  type Manifest,
  type ReadManifest,
  readManifest,
  writeManifest,
} from './manifest.ts'
import type { Vault } from './vault.ts'

/** The steps of a backup. A kill before any of them leaves no backup or a complete one. */
export const BACKUP_STEPS = [
  'make the folder under a temporary name',
  'write',
  'sync',
  'checksum',
  'verify',
  'give it its name',
  'add it to the catalogue',
] as const

export interface NewBackup {
  vault: Vault
  kind: BackupDriver
  source: Source
  head: Omit<Manifest, 'format' | 'files' | 'counts'>
  /** The last step: only backups in the catalogue are offered for a restore. */
  catalogue(manifest: ReadManifest): Promise<void>
  step?: StepHook
}

/** Makes a backup, or removes everything and throws. */
export async function makeBackup(order: NewBackup, control: BackupControl): Promise<ReadManifest> {
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
    throw asFailure(fault)
  }
}

async function fill(
  folder: string,
  { kind, source, head }: NewBackup,
  control: BackupControl,
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

/** Verifies the checksums and the counted contents of a backup. */
export async function verifyBackup(
  folder: string,
  kind: BackupDriver,
  control: JobControl,
): Promise<ReadManifest> {
  const manifest = await readManifest(folder)
  await checkFiles(folder, manifest, control.signal)
  checkCounts(await kind.verify(join(folder, CONTENTS), control), manifest.counts)
  return manifest
}

function asFailure(fault: unknown): unknown {
  const { code } = Object(fault)
  if (code === 'ENOSPC' || code === 'EDQUOT') {
    return new JobFailure('The disk is full. No backup was made. Free some space and try again.')
  }
  return fault
}

import { join } from 'node:path'
import type { Counts, JobControl } from '@binnacle/stores'
import { checkCounts } from '@binnacle/stores'
import type { BackupRow } from '#storage/admin/admin-tables.ts'
import type { BackupContext, Subject } from './backup-context.ts'
import { findNewest, verifyCatalogued } from './catalogue.ts'
import { CONTENTS } from './manifest.ts'

export interface DrillReport {
  backup: BackupRow
  counts: Counts
  files: number
  sha256: string
  durationMs: number
}

/** Restores the newest backup into a scratch location and compares the counts. */
export async function drillNewest(
  context: BackupContext,
  subject: Subject,
  control: JobControl,
): Promise<DrillReport> {
  const { vault, driverFor } = context
  const startMs = performance.now()
  const backup = await findNewest(context, subject.identity)
  const { sha256, files, counts: written } = await verifyCatalogued(context, backup, control)
  const folder = await vault.scratch()
  try {
    const from = join(vault.at(backup.name), CONTENTS)
    const counts = await driverFor(backup.type).drill(subject.source, { from, folder }, control)
    checkCounts(counts, written)
    return { backup, counts, files: files.length, sha256, durationMs: performance.now() - startMs }
  } finally {
    await vault.drop(folder)
  }
}

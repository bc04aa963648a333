import { join } from 'node:path'
import type { JobControl } from '#jobs/job.ts'
import type { BackupRow } from '#storage/admin/admin-tables.ts'
import { findWhole, verifyCatalogued } from './catalogue.ts'
import { refuseOtherCounts } from './make-backup.ts'
import { CONTENTS } from './manifest.ts'
import type { Room, Subject } from './room.ts'
import type { Counts } from './source.ts'

export interface DrillReport {
  backup: BackupRow
  counts: Counts
  files: number
  sha256: string
  durationMs: number
}

/** Restores the newest backup to where it harms nothing, and counts what came out of it. */
export async function drillNewest(room: Room, subject: Subject, control: JobControl): Promise<DrillReport> {
  const { vault, kindOf } = room
  const begun = performance.now()
  const backup = await findWhole(room, subject.id)
  const { sha256, files, counts: written } = await verifyCatalogued(room, backup, control)
  const folder = await vault.scratch()
  try {
    const from = join(vault.at(backup.name), CONTENTS)
    const counts = await kindOf(backup.type).drill(subject.source, { from, folder }, control)
    refuseOtherCounts(counts, written)
    return { backup, counts, files: files.length, sha256, durationMs: performance.now() - begun }
  } finally {
    await vault.drop(folder)
  }
}

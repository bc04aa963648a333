import { rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { filesBelow } from '#backups/durable-files.ts'
import type { JobControl } from '#jobs/job.ts'

export interface CleanAsked {
  /** Files whose data ends before this instant are old. */
  before: Date
  dryRun: boolean
}

export interface Cleaned {
  files: number
  bytes: number
}

/** A file is called by the month of its data; what is still being written ends otherwise. */
const MONTH = /(?:^|\/)(\d{4})-(\d{2})\.parquet$/
const UNFINISHED = /\.(new|tmp)$/
const UNFINISHED_MS = 60 * 60 * 1000

/** Removes files of months that are over since long, and what a killed server left; tells each before it goes. */
export async function cleanParquet(
  folder: string,
  { before, dryRun }: CleanAsked,
  { signal, log }: JobControl,
): Promise<Cleaned> {
  const old = await findOld(folder, before)
  for (const { path, bytes } of old) log(`${path} (${bytes} bytes) ${dryRun ? 'would go' : 'goes'}.`)
  for (const { path } of dryRun ? [] : old) {
    signal.throwIfAborted()
    await rm(join(folder, path))
  }
  return { files: old.length, bytes: old.reduce((sum, { bytes }) => sum + bytes, 0) }
}

interface OldFile {
  path: string
  bytes: number
}

async function findOld(folder: string, before: Date): Promise<OldFile[]> {
  const old: OldFile[] = []
  for (const path of await filesBelow(folder)) {
    const { size, mtimeMs } = await stat(join(folder, path))
    const isOver = endOfMonth(path) <= before.getTime()
    const isLeft = UNFINISHED.test(path) && mtimeMs < Date.now() - UNFINISHED_MS
    if (isOver || isLeft) old.push({ path, bytes: size })
  }
  return old
}

function endOfMonth(path: string): number {
  const [, year, month] = MONTH.exec(path) ?? []
  return month === undefined ? Number.POSITIVE_INFINITY : Date.UTC(Number(year), Number(month), 1)
}

import { rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { filesBelow, ifGone } from '#backup/durable-files.ts'
import type { JobControl } from '#job-control.ts'

export interface CleanOptions {
  /** Files whose data ends before this instant are old. */
  before: Date
  dryRun: boolean
}

export interface CleanResult {
  files: number
  bytes: number
}

/** Files are named by the month of their data; unfinished ones have another extension. */
const MONTH = /(?:^|\/)(\d{4})-(\d{2})\.parquet$/
const UNFINISHED = /\.(new|tmp)$/
const UNFINISHED_MAX_AGE_MS = 60 * 60 * 1000

/** Removes files of old months and files left by a killed server. Logs each before it is removed. */
export async function cleanParquet(
  folder: string,
  { before, dryRun }: CleanOptions,
  { signal, log }: JobControl,
): Promise<CleanResult> {
  const old = await findOld(folder, before)
  for (const { path, bytes } of old) log(`${path} (${bytes} bytes) ${dryRun ? 'would go' : 'goes'}.`)
  for (const { path } of dryRun ? [] : old) {
    signal.throwIfAborted()
    await rm(join(folder, path), { force: true })
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
    const found = await stat(join(folder, path)).catch(ifGone)
    if (found === undefined) continue
    const { size, mtimeMs } = found
    const isOver = endOfMonth(path) <= before.getTime()
    const isLeft = UNFINISHED.test(path) && mtimeMs < Date.now() - UNFINISHED_MAX_AGE_MS
    if (isOver || isLeft) old.push({ path, bytes: size })
  }
  return old
}

function endOfMonth(path: string): number {
  const [, year, month] = MONTH.exec(path) ?? []
  return month === undefined ? Number.POSITIVE_INFINITY : Date.UTC(Number(year), Number(month), 1)
}

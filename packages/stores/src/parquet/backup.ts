import { copyFile, stat } from 'node:fs/promises'
import { basename, join } from 'node:path'
import type { BackupDriver, RestoreOptions } from '#backup/backup-driver.ts'
import { copyTree } from '#backup/copy-tree.ts'
import { filesBelow, sha256Of, sync, syncTree } from '#backup/durable-files.ts'
import type { Counts, ParquetSource } from '#backup/source.ts'
import { checkCounts } from '#backup/source.ts'
import { moveWithTemporaries, pathExists, swapIn } from '#backup/swaps.ts'
import { type JobControl, JobFailure } from '#job-control.ts'
import { openDuck, quoteText } from './duck.ts'

/** Parquet: copies of all files, each read completely by DuckDB. */
export const parquetBackup: BackupDriver<ParquetSource> = {
  exists: ({ folder }) => pathExists(folder),
  async write({ folder: from }, folder, control) {
    if (!(await pathExists(from))) throw new JobFailure('The folder does not exist.')
    if (await isOneFile(from)) await copyFile(from, join(folder, basename(from)))
    else await copyTree(from, folder, control)
    const { counts, unreadable } = await readFiles(folder, control)
    if (unreadable.length > 0 && Object.keys(counts).length === 0) throw notReadable(unreadable)
    for (const path of unreadable)
      control.warn(`${path} is not a readable Parquet file. It was copied without a check of its contents.`)
    return counts
  },
  verify: countRows,
  async drill(_source, { from, folder }, control) {
    await copyTree(from, folder, control)
    return countRows(folder, control)
  },
  async restore({ folder }, putting, control) {
    const move = moveWithTemporaries(folder)
    const isFile = await isOneFile(folder)
    await swapIn({ ...putting, moves: [move] }, async () => {
      await restoreToTemporary(move.fresh, isFile, putting, control)
      await putting.release()
      control.signal.throwIfAborted()
    })
  },
}

async function restoreToTemporary(
  fresh: string,
  isFile: boolean,
  { from, counts, step }: RestoreOptions,
  control: JobControl,
): Promise<void> {
  await step('restore beside')
  const [name = ''] = Object.keys(counts)
  await (isFile ? copyFile(join(from, name), fresh) : copyTree(from, fresh, control))
  await (isFile ? sync(fresh) : syncTree(fresh))
  await step('verify beside')
  if (!isFile) checkCounts(await countRows(fresh, control), counts)
  else if ((await sha256Of(fresh)) !== (await sha256Of(join(from, name)))) {
    throw new JobFailure(`${name} was not copied correctly.`)
  }
}

/** Whether the connection is one file. For a missing one the name decides. */
async function isOneFile(place: string): Promise<boolean> {
  return stat(place).then(
    (found) => found.isFile(),
    () => place.endsWith('.parquet'),
  )
}

/** A file that became unreadable since the backup is missing in the counts, which are compared. */
async function countRows(folder: string, control: JobControl): Promise<Counts> {
  return (await readFiles(folder, control)).counts
}

/** Counts the rows of each file. The hash makes DuckDB read every page of every column. */
async function readFiles(
  folder: string,
  { signal, progress }: JobControl,
): Promise<{ counts: Counts; unreadable: string[] }> {
  const paths = (await filesBelow(folder)).filter((path) => path.endsWith('.parquet'))
  const counts: Counts = {}
  const unreadable: string[] = []
  const duck = await openDuck({ folder })
  try {
    for (const [index, path] of paths.entries()) {
      signal.throwIfAborted()
      progress(index / paths.length, `Reading file ${index + 1} of ${paths.length}.`)
      const file = quoteText(join(folder, path))
      const read = await duck.connection
        .runAndReadAll(`SELECT count(*)::DOUBLE AS n, bit_xor(hash(t)) AS h FROM read_parquet(${file}) AS t`)
        .catch(() => undefined)
      if (read === undefined) unreadable.push(path)
      else counts[path] = Number(read.getRowObjects()[0]?.n)
    }
  } finally {
    duck.close()
  }
  return { counts, unreadable }
}

function notReadable([path]: readonly string[]): JobFailure {
  return new JobFailure(`${path} is not a readable Parquet file.`)
}

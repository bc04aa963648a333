import { copyFile, stat } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { openDuck, quoteText } from '#catalog/duck.ts'
import { type JobControl, JobFailure } from '#jobs/job.ts'
import { copyTree } from '../copy-tree.ts'
import { filesBelow, sha256Of, sync, syncTree } from '../durable-files.ts'
import type { BackupKind, Putting } from '../kind.ts'
import { refuseOtherCounts } from '../make-backup.ts'
import type { Counts, ParquetSource } from '../source.ts'
import { isThere, moveBeside, swapIn } from '../swaps.ts'

/** Parquet: copies of all files, each read through to its last row by DuckDB. */
export const parquetKind: BackupKind<ParquetSource> = {
  exists: ({ folder }) => isThere(folder),
  async write({ folder: from }, folder, control) {
    if (!(await isThere(from))) throw new JobFailure('There is no such folder any more.')
    if (await isOneFile(from)) await copyFile(from, join(folder, basename(from)))
    else await copyTree(from, folder, control)
    return countRows(folder, control)
  },
  verify: countRows,
  async drill(_source, { from, folder }, control) {
    await copyTree(from, folder, control)
    return countRows(folder, control)
  },
  async restore({ folder }, putting, control) {
    const move = moveBeside(folder)
    const isFile = await isOneFile(folder)
    await swapIn({ ...putting, moves: [move] }, async () => {
      await putBeside(move.fresh, isFile, putting, control)
      await putting.release()
      control.signal.throwIfAborted()
    })
  },
}

async function putBeside(
  fresh: string,
  isFile: boolean,
  { from, counts, step }: Putting,
  control: JobControl,
): Promise<void> {
  await step('restore beside')
  const [name = ''] = Object.keys(counts)
  await (isFile ? copyFile(join(from, name), fresh) : copyTree(from, fresh, control))
  await (isFile ? sync(fresh) : syncTree(fresh))
  await step('verify beside')
  if (!isFile) refuseOtherCounts(await countRows(fresh, control), counts)
  else if ((await sha256Of(fresh)) !== (await sha256Of(join(from, name)))) {
    throw new JobFailure(`${name} was not copied as it is in the backup.`)
  }
}

/** A connection leads to a folder or to one file; of one that is gone only the name tells. */
async function isOneFile(place: string): Promise<boolean> {
  return stat(place).then(
    (found) => found.isFile(),
    () => place.endsWith('.parquet'),
  )
}

/** The rows of each Parquet file; the hash makes DuckDB read and expand every page of every column. */
async function countRows(folder: string, { signal, progress }: JobControl): Promise<Counts> {
  const paths = (await filesBelow(folder)).filter((path) => path.endsWith('.parquet'))
  const counts: Counts = {}
  const duck = await openDuck({ folder })
  try {
    for (const [index, path] of paths.entries()) {
      signal.throwIfAborted()
      progress(index / paths.length, `Reading file ${index + 1} of ${paths.length}.`)
      const file = quoteText(join(folder, path))
      const read = await duck.connection
        .runAndReadAll(`SELECT count(*)::DOUBLE AS n, bit_xor(hash(t)) AS h FROM read_parquet(${file}) AS t`)
        .catch(() => undefined)
      if (read === undefined) throw new JobFailure(`${path} cannot be read as a Parquet file.`)
      counts[path] = Number(read.getRowObjects()[0]?.n)
    }
  } finally {
    duck.close()
  }
  return counts
}

import { copyFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import * as z from 'zod'
import { type JobControl, JobFailure } from '#jobs/job.ts'
import { copyTree } from '../copy-tree.ts'
import { sync } from '../durable-files.ts'
import type { BackupKind, Putting } from '../kind.ts'
import { refuseOtherCounts } from '../make-backup.ts'
import { runScript } from '../run-child.ts'
import type { Counts, SqliteSource } from '../source.ts'
import { isThere, noteBeside, removeAll } from '../swaps.ts'

const SCRIPT = join(import.meta.dirname, 'sqlite-file.script.ts')
export const DATABASE = 'database.sqlite'
export const ARCHIVE = 'archive'

const Told = z.union([
  z.object({ counts: z.record(z.string(), z.number()) }),
  z.object({ fraction: z.number() }),
])

/** SQLite: copied by its own online backup, page by page as of one moment, while others write. */
export const sqliteKind: BackupKind<SqliteSource> = {
  exists: ({ file }) => isThere(file),
  async write({ file, archiveFolder }, folder, control) {
    if (!(await isThere(file))) throw new JobFailure('There is no such database file any more.')
    const copy = join(folder, DATABASE)
    const counts = await run(['copy', file, copy], control)
    // After the database: what left it meanwhile is then in both, and that the journal understands.
    if (archiveFolder !== undefined && (await isThere(archiveFolder))) {
      await copyTree(archiveFolder, join(folder, ARCHIVE), control)
    }
    return counts
  },
  verify: (folder, control) => countRows(join(folder, DATABASE), control),
  async drill(_source, { from, folder }, control) {
    const copy = join(folder, DATABASE)
    await copyFile(join(from, DATABASE), copy)
    return countRows(copy, control)
  },
  async restore({ file }, putting, control) {
    const fresh = join(dirname(file), `.${basename(file)}.restoring`)
    await noteBeside(putting.note, file, fresh)
    try {
      await putBeside(fresh, putting, control)
      await putting.release()
      await putting.step('swap')
      control.signal.throwIfAborted()
      // From here on it is done or not done; stopped halfway nobody could say which.
      await run(['swap', fresh, file], { ...control, signal: new AbortController().signal })
    } finally {
      await removeAll([fresh, putting.note])
    }
  },
}

async function putBeside(fresh: string, { from, counts, step }: Putting, control: JobControl): Promise<void> {
  await step('restore beside')
  await copyFile(join(from, DATABASE), fresh)
  await sync(fresh)
  await step('verify beside')
  refuseOtherCounts(await countRows(fresh, control), counts)
}

function countRows(file: string, control: JobControl): Promise<Counts> {
  return run(['count', file], control)
}

async function run(args: string[], { signal, progress }: JobControl): Promise<Counts> {
  let counts: Counts = {}
  await runScript(SCRIPT, {
    args,
    signal,
    onLine(line) {
      const told = Told.parse(JSON.parse(line))
      if ('counts' in told) counts = told.counts
      else progress(told.fraction, `Copying the pages: ${Math.round(told.fraction * 100)} %.`)
    },
  })
  return counts
}

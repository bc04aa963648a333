import { copyFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import * as z from 'zod'
import type { BackupDriver, RestoreOptions } from '#backup/backup-driver.ts'
import { copyTree } from '#backup/copy-tree.ts'
import { sync } from '#backup/durable-files.ts'
import { runScript } from '#backup/run-child.ts'
import type { Counts, SqliteSource } from '#backup/source.ts'
import { checkCounts } from '#backup/source.ts'
import { noteTemporaryFile, pathExists, removeAll } from '#backup/swaps.ts'
import { type JobControl, JobFailure } from '#job-control.ts'

const SCRIPT = join(import.meta.dirname, 'backup.script.ts')
export const DATABASE = 'database.sqlite'
export const ARCHIVE = 'archive'

const ScriptMessage = z.union([
  z.object({ counts: z.record(z.string(), z.number()) }),
  z.object({ fraction: z.number() }),
])

/** SQLite: the online backup API copies one snapshot page by page while others write. */
export const sqliteBackup: BackupDriver<SqliteSource> = {
  exists: ({ file }) => pathExists(file),
  async write({ file, archiveFolder }, folder, control) {
    if (!(await pathExists(file))) throw new JobFailure('The database file does not exist.')
    const copy = join(folder, DATABASE)
    const counts = await run(['copy', file, copy], control)
    // Copied after the database, so an entry archived meanwhile is in both, which the journal accepts.
    if (archiveFolder !== undefined && (await pathExists(archiveFolder))) {
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
    await noteTemporaryFile(putting.note, file, fresh)
    try {
      await restoreToTemporaryFile(fresh, putting, control)
      await putting.release()
      await putting.step('swap')
      control.signal.throwIfAborted()
      // Not cancellable from here, so the outcome is always known.
      await run(['swap', fresh, file], { ...control, signal: new AbortController().signal })
    } finally {
      await removeAll([fresh, putting.note])
    }
  },
}

async function restoreToTemporaryFile(
  fresh: string,
  { from, counts, step }: RestoreOptions,
  control: JobControl,
): Promise<void> {
  await step('restore beside')
  await copyFile(join(from, DATABASE), fresh)
  await sync(fresh)
  await step('verify beside')
  checkCounts(await countRows(fresh, control), counts)
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
      const message = ScriptMessage.parse(JSON.parse(line))
      if ('counts' in message) counts = message.counts
      else progress(message.fraction, `Copying pages: ${Math.round(message.fraction * 100)} %.`)
    },
  })
  return counts
}

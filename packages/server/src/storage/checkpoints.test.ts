import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { temporaryFolder, until } from '@binnacle/stores/testkit'
import { expect, onTestFinished, test, vi } from 'vitest'
import { startCheckpoints } from './checkpoints.ts'
import { CHECKPOINT_PAGES } from './sqlite-limits.ts'

const PAGE_BYTES = 4096

/** A file that its writer never checkpoints. */
function aFile() {
  const file = join(temporaryFolder(), 'journal.sqlite')
  const database = new DatabaseSync(file)
  onTestFinished(() => database.close())
  database.exec('PRAGMA journal_mode = WAL; PRAGMA wal_autocheckpoint = 0; CREATE TABLE rows (bytes BLOB)')
  const insert = database.prepare('INSERT INTO rows VALUES (zeroblob(?))')
  const measure = database.prepare('PRAGMA wal_checkpoint(NOOP)')
  return {
    file,
    write: (pages: number) => insert.run(pages * PAGE_BYTES),
    log: () => ({ ...measure.get() }) as { log: number; checkpointed: number },
  }
}

function checkpoints(files: readonly string[], onFault: (fault: Error) => void = () => {}) {
  const started = startCheckpoints(files, onFault)
  onTestFinished(() => started.close())
  return started
}

test('[ENGINE-305] a large log is moved into its file, and the writer begins it again', async () => {
  const large = aFile()
  const other = aFile()
  large.write(CHECKPOINT_PAGES)
  other.write(1)
  checkpoints([other.file, large.file])
  // Again until it is: the thread holds its lock for a moment after the last page.
  await until(() => {
    large.write(1)
    expect(large.log().log).toBeLessThan(10)
  })
  expect(other.log().checkpointed).toBe(0)
})

test('[ENGINE-305] what is written meanwhile is not lost', async () => {
  const { file, write, log } = aFile()
  checkpoints([file])
  let written = 0
  await until(() => {
    written += 1
    write(1000)
    expect(log().checkpointed).toBeGreaterThan(0)
  })
  const reader = new DatabaseSync(file, { readOnly: true })
  onTestFinished(() => reader.close())
  expect(reader.prepare('SELECT count(*) AS rows FROM rows').get()).toMatchObject({ rows: written })
  expect(reader.prepare('PRAGMA integrity_check').get()).toMatchObject({ integrity_check: 'ok' })
})

test('a file that cannot be opened ends the thread with the reason, and closing it still resolves', async () => {
  const onFault = vi.fn()
  const started = checkpoints([temporaryFolder()], onFault)
  await until(() => expect(onFault).toHaveBeenCalledOnce())
  expect(onFault.mock.lastCall?.[0]).toMatchObject({ message: 'unable to open database file' })
  await started.close()
})

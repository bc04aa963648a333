import { statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, onTestFinished, test } from 'vitest'
import { temporaryFolder } from '#testkit/temporary-folder.ts'
import { until } from '#testkit/until.ts'
import { LogMover } from './log-mover.ts'

const ROWS = 1000

/** A busy file whose writer never moves its log by itself. */
function aBusyFile() {
  const file = join(temporaryFolder(), 'busy.sqlite')
  const writer = new DatabaseSync(file)
  onTestFinished(() => writer.close())
  writer.exec('PRAGMA journal_mode = WAL; PRAGMA wal_autocheckpoint = 0; CREATE TABLE rows (text TEXT)')
  const insert = writer.prepare('INSERT INTO rows VALUES (?)')
  const write = () => {
    for (let row = 0; row < ROWS; row++) insert.run('x'.repeat(200))
  }
  return { file, write, count: () => writer.prepare('SELECT count(*) AS rows FROM rows').get()?.rows }
}

function aMover(files: readonly string[]) {
  const faults: string[] = []
  const mover = new LogMover(files, (fault) => faults.push(fault.message))
  return { mover, faults }
}

test('what is worth a move is moved into the file while its writer goes on', async () => {
  const { file, write, count } = aBusyFile()
  const { mover, faults } = aMover([file])
  write()
  const before = statSync(file).size
  mover.count(3999)
  mover.count(1)
  await until(() => expect(statSync(file).size).toBeGreaterThan(before + ROWS * 200))
  write()
  await mover.close()
  expect(count()).toBe(2 * ROWS)
  expect(faults).toEqual([])
})

test('a file that cannot be moved holds up no other', async () => {
  const broken = join(temporaryFolder(), 'broken.sqlite')
  writeFileSync(broken, 'no database'.repeat(500))
  const { file, write } = aBusyFile()
  const { mover, faults } = aMover([broken, file])
  write()
  const before = statSync(file).size
  mover.count(4000)
  await until(() => expect(statSync(file).size).toBeGreaterThan(before))
  await mover.close()
  expect(faults).toEqual([])
})

test('a mover that never moved closes', async () => {
  const { mover } = aMover([join(temporaryFolder(), 'none.sqlite')])
  await expect(mover.close()).resolves.toBeUndefined()
})

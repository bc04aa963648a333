import { readdirSync } from 'node:fs'
import { sqliteFixture, temporaryFolder, until } from '@binnacle/stores/testkit'
import { expect, onTestFinished, test } from 'vitest'
import { exportRows } from './export-rows.ts'

const ENDLESS = 'WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i FROM n'

test('an export from which nobody takes rows is ended, read or unread', async () => {
  const stage = await sqliteFixture(onTestFinished)
  const driver = stage.open()
  onTestFinished(() => driver.close())
  const wanted = { format: 'csv', name: 'rows', scratch: '', stallMs: 200 } as const
  const half = await exportRows(driver, { statement: ENDLESS }, wanted)
  const chunks = half.chunks[Symbol.asyncIterator]()
  await chunks.next()
  await chunks.next()
  await exportRows(driver, { statement: ENDLESS }, wanted)
  await until(async () => expect(await stage.runningStatements()).toEqual([]))
  await expect(drained(chunks)).rejects.toThrow('The client stopped reading, so the export was cancelled.')
})

test('an export that is left early releases its store', async () => {
  const stage = await sqliteFixture(onTestFinished)
  const driver = stage.open()
  onTestFinished(() => driver.close())
  const whole = await exportRows(
    driver,
    { statement: ENDLESS },
    { format: 'jsonl', name: 'rows', scratch: '' },
  )
  for await (const chunk of whole.chunks) {
    expect(String(chunk)).toMatch(/^\{"i":1\}\n/)
    break
  }
  await until(async () => expect(await stage.runningStatements()).toEqual([]))
})

test('an export as Parquet that is left while its rows are gathered is ended, and keeps no file', async () => {
  const stage = await sqliteFixture(onTestFinished)
  const driver = stage.open()
  onTestFinished(() => driver.close())
  const scratch = temporaryFolder()
  const whole = await exportRows(driver, { statement: ENDLESS }, { format: 'parquet', name: 'rows', scratch })
  const chunks = whole.chunks[Symbol.asyncIterator]()
  const first = expect(chunks.next()).rejects.toThrow('The client disconnected')
  await until(async () => expect(await stage.runningStatements()).not.toEqual([]))
  await chunks.return?.()
  await first
  await until(async () => expect(await stage.runningStatements()).toEqual([]))
  expect(readdirSync(scratch)).toEqual([])
})

async function drained(chunks: AsyncIterator<unknown>): Promise<void> {
  for (let next = await chunks.next(); next.done !== true; next = await chunks.next());
}

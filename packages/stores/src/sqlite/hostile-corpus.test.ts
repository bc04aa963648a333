import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, onTestFinished, test } from 'vitest'
import type { ConnectionConfig } from '#driver.ts'
import { StoreRefusal } from '#store-refusal.ts'
import { SQLITE_CONTENT, sqliteCorpus } from '#testkit/corpus/sqlite-corpus.ts'
import { CAPS } from '#testkit/drivers/driver-fixture.ts'
import { folderFingerprint } from '#testkit/drivers/folder-fingerprint.ts'
import { configOf } from '#testkit/drivers/postgres-fixture.ts'
import { countOf } from '#testkit/generated.ts'
import { temporaryFolder } from '#testkit/temporary-folder.ts'
import { createSqliteDriver } from './driver.ts'

const never = new AbortController().signal
const CORPUS = sqliteCorpus()
const TEXTS = CORPUS.filter((_, index) => index % Math.ceil(CORPUS.length / countOf('hostileTexts')) === 0)

test('the corpus has at least 200 texts, each once', () => {
  expect(new Set(CORPUS.map(({ text }) => text)).size).toBe(CORPUS.length)
  expect(CORPUS.length).toBeGreaterThanOrEqual(200)
})

test('[STORE-14] no hostile text gets through a read-only connection', async () => {
  const { folder, config, access } = newFolder()
  const driver = createSqliteDriver(config, access)
  onTestFinished(() => driver.close())
  const before = folderFingerprint(folder)
  const through: unknown[] = []
  for (const { text } of TEXTS) {
    const sql = text.replaceAll('FOLDER', folder)
    for (const attempt of [
      () => driver.run(sql, CAPS, never),
      () => driver.stream({ statement: sql }, never),
    ]) {
      const outcome = await attempt().catch((reason) => reason)
      if (!(outcome instanceof StoreRefusal)) through.push([text, outcome])
    }
    await driver.explain(sql, never).catch(() => undefined)
  }
  expect(through).toEqual([])
  expect(folderFingerprint(folder)).toEqual(before)
})

test('without the guard they do change the file', () => {
  const withoutEffect = TEXTS.filter(({ isVisible }) => isVisible).filter(({ text }) => {
    const { folder, file } = newFolder()
    const before = folderFingerprint(folder)
    const database = new DatabaseSync(file)
    try {
      database.exec(text.replaceAll('FOLDER', folder))
    } catch {
      // What took effect before the error counts too.
    }
    database.close()
    return JSON.stringify(folderFingerprint(folder)) === JSON.stringify(before)
  })
  expect(withoutEffect.map(({ text }) => text)).toEqual([])
})

function newFolder() {
  const root = temporaryFolder()
  const folder = join(root, 'databases')
  mkdirSync(folder)
  const file = join(folder, 'desk.sqlite')
  fill(file, SQLITE_CONTENT)
  fill(join(folder, 'other.sqlite'), "CREATE TABLE secrets (a); INSERT INTO secrets VALUES ('secret')")
  const config: ConnectionConfig = { ...configOf({ url: file, name: 'desk' }), kind: 'sqlite' }
  return { folder, file, config, access: { databaseFolders: [folder], dataFolder: join(root, 'data') } }
}

function fill(file: string, sql: string): void {
  const database = new DatabaseSync(file)
  database.exec(`PRAGMA synchronous = OFF; ${sql}`)
  database.close()
}

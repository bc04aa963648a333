import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { temporaryFolder } from '@binnacle/stores/testkit'
import { expect, onTestFinished, test } from 'vitest'
import { openDataFolder } from './data-folder.ts'

test('a new folder is created for its owner only, with a format file', async () => {
  const path = join(temporaryFolder(), 'some', 'data')
  const folder = await opened(path)
  expect(statSync(path).mode & 0o777).toBe(0o700)
  expect(JSON.parse(readFileSync(folder.at('format.json'), 'utf8'))).toEqual({ format: 1 })
  expect(folder.at('logs', 'server.log')).toBe(join(path, 'logs', 'server.log'))
})

test('a folder in use is refused, a released one is opened', async () => {
  const path = temporaryFolder()
  const first = await openDataFolder(path)
  await expect(openDataFolder(path)).rejects.toThrow(
    `Another Binnacle server is already using the data folder ${path}. Stop it, or set BINNACLE_DATA to another folder.`,
  )
  first.release()
  await opened(path)
})

test('a folder of a newer format is refused and left unchanged', async () => {
  const path = temporaryFolder({ 'format.json': '{"format":2}' })
  await expect(openDataFolder(path)).rejects.toThrow(
    `The data folder ${path} was written by a newer version of Binnacle (format 2; this one knows 1). Start that version, or set BINNACLE_DATA to another folder.`,
  )
  expect(readFileSync(join(path, 'format.json'), 'utf8')).toBe('{"format":2}')
})

test.each(['', 'damaged', '{"format":"1"}', '{"format":0}', '[]'])(
  'a format file with %j is refused as damaged',
  async (text) => {
    const path = temporaryFolder()
    writeFileSync(join(path, 'format.json'), text)
    await expect(openDataFolder(path)).rejects.toThrow(
      `${join(path, 'format.json')} is damaged: it should read {"format":1}. Restore it, or set BINNACLE_DATA to another folder.`,
    )
  },
)

test('a folder that cannot be created is refused with a remedy', async () => {
  const path = join(temporaryFolder({ file: '' }), 'file', 'data')
  await expect(openDataFolder(path)).rejects.toThrow(
    `The data folder ${path} cannot be written to (ENOTDIR). Correct its permissions, or set BINNACLE_DATA to another folder.`,
  )
})

test('[START-4] stores of an earlier start that are missing are refused by name', async () => {
  const path = temporaryFolder()
  const folder = await openDataFolder(path)
  folder.checkStores()
  writeFileSync(folder.at('admin.sqlite'), '')
  writeFileSync(folder.at('journal.sqlite'), '')
  await folder.recordStores()
  folder.release()
  rmSync(folder.at('admin.sqlite'))
  const again = await opened(path)
  expect(() => again.checkStores()).toThrow(
    `${join(path, 'admin.sqlite')} is missing, although earlier starts have used it. Put the file back, restore it with 'npm run restore', or set BINNACLE_DATA to another folder.`,
  )
})

test.each([
  ['without bytes', ''],
  ['without tables', 'PRAGMA user_version = 1'],
])(
  '[START-140] a store of an earlier start that is %s is refused by name and stays as it is',
  async (_, sql) => {
    const path = temporaryFolder()
    const folder = await openDataFolder(path)
    for (const name of ['admin.sqlite', 'journal.sqlite'])
      createDatabase(folder.at(name), 'CREATE TABLE a (b)')
    await folder.recordStores()
    folder.release()
    const again = await opened(path)
    again.checkStores()
    for (const name of ['journal.sqlite', 'admin.sqlite']) {
      const file = again.at(name)
      rmSync(file)
      if (sql === '') writeFileSync(file, '')
      else createDatabase(file, sql)
      const before = readFileSync(file)
      expect(() => again.checkStores()).toThrow(
        `${file} is empty, although earlier starts have used it. Put the file back, restore it with 'npm run restore', or set BINNACLE_DATA to another folder.`,
      )
      expect(readFileSync(file).equals(before)).toBe(true)
    }
  },
)

test('[START-140] a store whose tables are only in its write-ahead log is not empty', async () => {
  const path = temporaryFolder()
  const folder = await openDataFolder(path)
  const databases = ['admin.sqlite', 'journal.sqlite'].map((name) =>
    createDatabase(folder.at(name), 'PRAGMA journal_mode = WAL; CREATE TABLE a (b)', false),
  )
  await folder.recordStores()
  folder.release()
  const again = await opened(path)
  again.checkStores()
  for (const database of databases) database.close()
})

test('[START-140] a first start that was killed before the journal had tables is continued', async () => {
  const path = temporaryFolder({ 'format.json': '{"format":1}', 'journal.sqlite': '' })
  createDatabase(join(path, 'admin.sqlite'), 'CREATE TABLE a (b)')
  const folder = await opened(path)
  folder.checkStores()
})

test('[START-141] a folder whose audit head names a record has had an admin store', async () => {
  const path = temporaryFolder({ 'format.json': '{"format":1}', 'audit-head.json': '' })
  const folder = await opened(path)
  folder.checkStores()
  writeFileSync(folder.at('audit-head.json'), '{"seq":7,"hash":"ab"}')
  expect(() => folder.checkStores()).toThrow(`${folder.at('admin.sqlite')} is missing, although`)
  writeFileSync(folder.at('admin.sqlite'), '')
  expect(() => folder.checkStores()).toThrow(`${folder.at('admin.sqlite')} is empty, although`)
})

test('[START-6] a full disk is named with what is free and what is needed, and nothing is written', async () => {
  const path = temporaryFolder()
  await expect(openDataFolder(path, async () => 1_234_567)).rejects.toThrow(
    `The disk of the data folder ${path} is full: 1.2 MB are free, 64 MB are needed. Free some space, or set BINNACLE_DATA to another folder.`,
  )
  expect(readdirSync(path)).toEqual([])
})

test('[START-9] what unfinished uploads left is deleted before the disk is judged', async () => {
  const path = temporaryFolder({ 'format.json': '{"format":1}' })
  const left = [join(path, 'data-sets', '.uploads', 'half'), join(path, 'data-sets', '.import-1', 'bars')]
  for (const file of left) {
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, 'half a file')
  }
  const freeSpace = async () => (left.some((file) => existsSync(file)) ? 0 : 1e9)
  const folder = await openDataFolder(path, freeSpace)
  folder.release()
  expect(readdirSync(join(path, 'data-sets'))).toEqual([])
})

test('[START-10] a start that is refused for a full disk or for another server leaves the uploads of that one and no lock', async () => {
  const path = temporaryFolder()
  const first = await openDataFolder(path)
  const upload = join(path, 'data-sets', '.uploads', 'running')
  mkdirSync(dirname(upload), { recursive: true })
  writeFileSync(upload, 'half a file')
  await expect(openDataFolder(path)).rejects.toThrow('Another Binnacle server')
  expect(existsSync(upload)).toBe(true)
  first.release()
  await expect(openDataFolder(path, async () => 0)).rejects.toThrow('is full: 0 MB are free')
  await opened(path)
})

test('[START-6] a file system that reports no size is used', async () => {
  const folder = await openDataFolder(temporaryFolder(), async () => undefined)
  folder.release()
})

async function opened(path: string) {
  const folder = await openDataFolder(path)
  onTestFinished(() => folder.release())
  return folder
}

function createDatabase(file: string, sql: string, isClosed = true): DatabaseSync {
  const database = new DatabaseSync(file)
  database.exec(sql)
  if (isClosed) database.close()
  return database
}

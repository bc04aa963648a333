import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { gunzipSync } from 'node:zlib'
import { maintenance } from '@binnacle/contract'
import { afterAllTests } from '@binnacle/stores/testkit'
import { beforeAll, expect, test } from 'vitest'
import { newDatabaseApp } from '#testkit/database-app.ts'
import { runningServer, type TestServer } from '#testkit/running-server.ts'
import { createDataExports } from './data-exports.ts'

const atEnd = afterAllTests()
let server: TestServer
let origin: string

beforeAll(async () => {
  server = await runningServer({}, atEnd)
  origin = `http://127.0.0.1:${server.ports.trading}`
  const file = join(server.dataFolder, 'databases', 'ledger.sqlite')
  const ledger = new DatabaseSync(file)
  ledger.exec(
    "CREATE TABLE entries (id INTEGER, note TEXT); INSERT INTO entries VALUES (1, '=1+1'), (2, 'two')",
  )
  ledger.close()
  const ledgerConnection = {
    name: 'Ledger',
    type: 'sqlite',
    connection_string: file,
    database_name: 'ledger',
  }
  await post('/api/db/connections', ledgerConnection)
  await post('/api/db/connections', {
    name: 'Gone',
    type: 'postgresql',
    connection_string: 'postgresql://u:p@127.0.0.1:1/x',
    database_name: 'x',
  })
})

test('[MAINT-23] chosen stores are exported by a job as one file with a file per table, without secret columns', async () => {
  const { stores } = await list()
  const ids = stores.filter(({ name }) => ['Binnacle admin', 'Ledger'].includes(name)).map(({ id }) => id)
  expect(ids).toHaveLength(2)
  const { status, body } = await post('/api/database/exports', { stores: ids, format: 'csv' })
  expect(status).toBe(200)
  expect(body.message).toMatch(/^2 stores exported: \d+ tables, [\d.]+ KB$/)
  const { files } = await list()
  expect(files[0]).toMatchObject({ name: body.file })
  const reply = await fetch(`${origin}/api/database/exports/${body.file}`)
  expect(reply.headers.get('content-disposition')).toBe(`attachment; filename="${body.file}"`)
  const contents = untar(gunzipSync(Buffer.from(await reply.arrayBuffer())))
  expect(contents.get('2-Ledger/1-entries.csv')).toBe("id,note\r\n1,'=1+1\r\n2,two\r\n")
  const users = [...contents].find(([name]) => name.endsWith('-users.csv'))?.[1]
  expect(users).toContain('username')
  expect(users).not.toContain('password_hash')
  expect(JSON.parse(contents.get('contents.json') ?? '').stores[1]).toMatchObject({
    name: 'Ledger',
    tables: [{ table: 'entries', file: '2-Ledger/1-entries.csv' }],
  })
  const { jobs } = Object(await (await fetch(`${origin}/api/admin/jobs`)).json())
  expect(jobs[0]).toMatchObject({ kind: 'maintenance.export.data', state: 'done', progress: 1 })
  expect(readdirSync(join(server.dataFolder, 'exports', 'data'))).toEqual([body.file])
})

test('[MAINT-25] a store that cannot be read is named and the others are exported; none at all is a failure', async () => {
  const { stores } = await list()
  const idOf = (wanted: string) => stores.find(({ name }) => name === wanted)?.id
  const some = await post('/api/database/exports', {
    stores: [idOf('Gone'), idOf('Ledger')],
    format: 'jsonl',
  })
  expect(some.body.message).toMatch(/^1 store exported: 1 table, .+\. Not exported: Gone: /)
  const none = await post('/api/database/exports', { stores: [idOf('Gone')] })
  expect(none.body).toMatchObject({ code: 'job.failed', detail: expect.stringContaining('Gone: ') })
  const before = (await list()).files.length
  const unknown = await post('/api/database/exports', { stores: ['77'] })
  expect(unknown).toMatchObject({ status: 404, body: { code: 'thing.unknown' } })
  expect((await list()).files).toHaveLength(before)
})

test.each(['binnacle-data-1.tar.gz', '..%2Fadmin.sqlite', '%2e%2e%2f%2e%2e%2fsecret.key'])(
  '[MAINT-25] the file %s is not among the exports',
  async (name) => {
    expect((await fetch(`${origin}/api/database/exports/${name}`)).status).toBe(404)
  },
)

async function list() {
  return maintenance.exports.reply.parse(await (await fetch(`${origin}/api/database/exports`)).json())
}

async function post(path: string, body: object) {
  const reply = await fetch(`${origin}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  return { status: reply.status, body: Object(await reply.json()) }
}

/** The files of an archive by name. */
function untar(tar: Buffer): Map<string, string> {
  const files = new Map<string, string>()
  for (let at = 0; tar[at] !== 0; ) {
    const name = tar.toString('utf8', at, tar.indexOf(0, at))
    const bytes = Number.parseInt(tar.toString('latin1', at + 124, at + 135), 8)
    files.set(name, tar.toString('utf8', at + 512, at + 512 + bytes))
    at += 512 + Math.ceil(bytes / 512) * 512
  }
  return files
}

test('[MAINT-300] an export stops when the disk becomes nearly full while its files are packed', async () => {
  const desk = await newDatabaseApp()
  const ledger = new DatabaseSync(join(desk.folder, 'ledger.sqlite'))
  ledger.exec('CREATE TABLE entries (id INTEGER); INSERT INTO entries VALUES (1)')
  ledger.close()
  const connection = {
    name: 'Ledger',
    type: 'sqlite',
    connection_string: 'ledger.sqlite',
    database_name: 'x',
  }
  await desk.send('POST', '/api/db/connections', connection)
  const { service } = desk
  const looks: number[] = Array(100).fill(1e12)
  const freeSpace = async () => looks.shift() ?? 63_000_000
  const exports = createDataExports({ ...service, freeSpace })
  const control = {
    signal: new AbortController().signal,
    log: () => {},
    progress: (_: number, sentence: string) => {
      if (sentence === 'Packing the files.') looks.length = 0
    },
  }
  await expect(exports.write(['1'], 'csv', control)).rejects.toThrow(
    'The disk is nearly full, so nothing was exported.',
  )
  expect(readdirSync(join(service.scratch, 'data'))).toEqual([])
})

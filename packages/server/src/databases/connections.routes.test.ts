import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { beforeEach, expect, test } from 'vitest'
import { SEALED_COLUMNS } from '#storage/admin/sealed-columns.ts'
import { serverAuditContext } from '#storage/audit/audit-context.ts'
import { newDatabaseApp, type TestDatabase } from '#testkit/database-app.ts'

const PASSWORD = 'hunter2'

let desk: TestDatabase
beforeEach(async () => {
  desk = await newDatabaseApp()
  const database = new DatabaseSync(join(desk.folder, 'desk.sqlite'))
  database.exec(
    "CREATE TABLE trades (id INTEGER PRIMARY KEY, symbol TEXT); INSERT INTO trades VALUES (1, 'A')",
  )
  database.close()
})

const DESK = { name: 'Desk', type: 'sqlite', database_name: 'main', connection_string: 'desk.sqlite' }

test('[CALL-23] an added connection is in the list, read-only unless it was said otherwise', async () => {
  const added = await desk.send('POST', '/api/db/connections', DESK)
  expect([added.statusCode, added.json()]).toEqual([201, { success: true, id: 1 }])
  await desk.send('POST', '/api/db/connections', { ...DESK, name: 'Writable', writable: true, time_limit: 5 })
  expect((await listed()).slice(-2)).toMatchObject([
    {
      id: 1,
      name: 'Desk',
      type: 'sqlite',
      database_name: 'main',
      is_active: 1,
      writable: false,
      time_limit: 30,
      can: { write: false, restore: false },
    },
    {
      id: 2,
      name: 'Writable',
      writable: true,
      time_limit: 5,
      can: { write: true, explain: true, restore: true },
    },
  ])
})

test("[STORE-3] Binnacle's own stores are listed first, and can be neither changed nor deleted", async () => {
  const own = (await listed()).filter(({ is_builtin }) => is_builtin === 1)
  expect(own.map(({ id, writable }) => [id, writable])).toEqual([
    ['binnacle-admin', false],
    ['binnacle-journal', false],
    ['binnacle-orders', false],
    ['binnacle-samples', false],
    ['binnacle-catalog', false],
  ])
  for (const reply of [
    await desk.send('PUT', '/api/db/connections/binnacle-admin', { writable: true }),
    await desk.send('DELETE', '/api/db/connections/binnacle-admin'),
  ]) {
    expect([reply.statusCode, reply.json().code]).toEqual([409, 'connection.built-in'])
  }
})

test('[STORE-2] a connection string is stored sealed and never sent back', async () => {
  const secret = {
    ...DESK,
    type: 'postgresql',
    connection_string: `postgresql://a:${PASSWORD}@127.0.0.1:1/a`,
  }
  const replies = [
    await desk.send('POST', '/api/db/connections', secret),
    await desk.get('/api/db/connections'),
    await desk.send('PUT', '/api/db/connections/1', {
      connection_string: `postgresql://b:${PASSWORD}@127.0.0.1:1/b`,
    }),
    await desk.send('POST', '/api/db/connections/1/test'),
    await desk.get('/api/db/1/tables'),
    await desk.send('DELETE', '/api/db/connections/1'),
  ]
  for (const reply of replies) expect(reply.body).not.toContain(PASSWORD)
  const lines = await desk.store.audit.page({}, Number.MAX_SAFE_INTEGER, 100)
  expect(lines.map(({ action }) => action)).toEqual([
    'connections.remove',
    'connections.test',
    'connections.update',
    'connections.add',
  ])
  expect(JSON.stringify(lines)).not.toContain(PASSWORD)
  expect(readFileSync(desk.file).includes(PASSWORD)).toBe(false)
  expect(readFileSync(`${desk.file}-wal`).includes(PASSWORD)).toBe(false)
})

test('an edit changes what it gives and leaves the rest, the string too', async () => {
  await desk.send('POST', '/api/db/connections', DESK)
  const edited = await desk.send('PUT', '/api/db/connections/1', { name: 'Renamed', writable: true })
  expect(edited.json()).toMatchObject({ id: 1, name: 'Renamed', writable: true, database_name: 'main' })
  expect((await desk.get('/api/db/1/tables')).json().tables).toMatchObject([{ name: 'trades' }])
  const moved = await desk.send('PUT', '/api/db/connections/1', { connection_string: '../admin.sqlite' })
  expect(moved.json()).toMatchObject({
    code: 'request.invalid',
    errors: [{ field: 'body.connection_string' }],
  })
})

test('[DB-300] an edit that is refused leaves the connection open with its statements', async () => {
  await desk.send('POST', '/api/db/connections', DESK)
  await desk.send('POST', '/api/db/connections', { ...DESK, name: 'Other' })
  const opened = await desk.service.databases.open('1')
  const refused = await desk.send('PUT', '/api/db/connections/1', { name: 'Other' })
  expect(refused.json()).toMatchObject({ code: 'thing.exists' })
  expect(await desk.service.databases.open('1')).toBe(opened)
  await desk.send('PUT', '/api/db/connections/1', { name: 'Third' })
  expect(await desk.service.databases.open('1')).not.toBe(opened)
})

test('[DB-1] an inactive connection is listed as such and answers no call', async () => {
  await desk.send('POST', '/api/db/connections', DESK)
  await desk.send('PUT', '/api/db/connections/1', { is_active: 0 })
  expect((await listed()).at(-1)).toMatchObject({ id: 1, is_active: 0 })
  const refused = await desk.get('/api/db/1/tables')
  expect([refused.statusCode, refused.json().code]).toEqual([422, 'store.refused'])
})

test('a deleted connection is gone with its history; its store is left as it is', async () => {
  await desk.send('POST', '/api/db/connections', DESK)
  await desk.send('POST', '/api/db/1/query', { query: 'SELECT 1' })
  expect((await desk.send('DELETE', '/api/db/connections/1')).statusCode).toBe(200)
  expect((await desk.get('/api/db/1/tables')).json().code).toBe('thing.unknown')
  expect(await desk.store.statements.history('1')).toEqual([])
  expect(readFileSync(join(desk.folder, 'desk.sqlite')).length).toBeGreaterThan(0)
})

test('a test returns the version or the reason of the failure', async () => {
  const good = await desk.send('POST', '/api/db/connections/test', DESK)
  expect(good.json()).toMatchObject({
    success: true,
    version: expect.stringMatching(/^SQLite \d/),
    warnings: [],
  })
  const bad = { ...DESK, type: 'postgresql', connection_string: 'postgresql://a@127.0.0.1:1/a' }
  expect((await desk.send('POST', '/api/db/connections/test', bad)).json()).toMatchObject({ success: false })
  expect((await listed()).filter(({ is_builtin }) => is_builtin !== 1)).toEqual([])
})

test('a test of a file that is not there yet says so, and does not make it', async () => {
  const yet = { ...DESK, name: 'Yet', connection_string: 'yet.sqlite', writable: true }
  const tried = await desk.send('POST', '/api/db/connections/test', yet)
  expect(tried.json()).toMatchObject({
    success: true,
    version: expect.stringMatching(/^SQLite \d/),
    warnings: ['The file does not exist yet. The first statement creates it.'],
  })
  expect(existsSync(join(desk.folder, 'yet.sqlite'))).toBe(false)
})

test('[CALL-5] a name that is taken is refused with a problem', async () => {
  await desk.send('POST', '/api/db/connections', DESK)
  const again = await desk.send('POST', '/api/db/connections', { ...DESK, name: 'DESK' })
  expect([again.statusCode, again.json().code]).toEqual([409, 'thing.exists'])
})

test('[STORE-3] [STORE-16] secret columns of our own stores are hidden from every call', async () => {
  await desk.send('POST', '/api/db/connections', DESK)
  const database = new DatabaseSync(desk.file)
  database.exec("UPDATE users SET password_hash = '$argon2id$secret'")
  database.exec(`VACUUM INTO '${join(desk.service.access.dataFolder, 'admin.sqlite')}'`)
  database.close()
  const own = '/api/db/binnacle-admin'
  const replies = [
    await desk.get(`${own}/tables/users/data`),
    await desk.get(`${own}/tables/connections/data`),
    await desk.get(`${own}/tables/users/export?format=jsonl`),
    await desk.send('POST', `${own}/query`, { query: 'SELECT password_hash, hex(password_hash) FROM users' }),
    await desk.send('POST', `${own}/query`, { query: 'SELECT * FROM connections' }),
    await desk.send('POST', `${own}/query`, {
      query: "SELECT 1 FROM users WHERE password_hash LIKE '$argon2%'",
    }),
  ]
  for (const reply of replies) {
    expect(reply.statusCode).toBe(200)
    expect(reply.body).not.toMatch(/argon2id|v1:|6172676F6E/i)
  }
  expect(replies[0]?.json().rows).toMatchObject([{ username: 'admin' }])
  expect(replies[4]?.json().rows).toMatchObject([{ name: 'Desk', sealed_string: null }])
  expect(replies[5]?.json().rows).toEqual([])
})

test('[STORE-68] every column with a sealed value is known and hidden', async () => {
  await desk.send('POST', '/api/db/connections', DESK)
  const { settings, apiConfigs, services, routes, adapters, alerts } = desk.store
  const act = serverAuditContext('test')
  for (const value of ['first', 'second']) {
    await settings.save(act, { values: new Map([['smtp_password', value]]) })
  }
  await apiConfigs.add(act, {
    name: 'Feed',
    endpoint: 'https://feed.example/?api_key=hunter2',
    is_enabled: 1,
  })
  const service = await services.add(act, { name: 'Feed', description: '', url: 'https://feed.example' })
  if (!service.ok) throw new Error(service.reason)
  const parameters = '{"headers":{"Authorization":"Bearer hunter2"}}'
  const route = { method: 'GET', path: '/x', description: '', requires_auth: 0 } as const
  await routes.add(act, { ...route, service_id: service.value.id, parameters })
  await adapters.save(act, 'feed', { version: 0, apiKey: 'key', secret: 'hunter2', settings: '{}' })
  await alerts.setHeartbeat(act, { is_enabled: true, url: 'https://watch.example/x', every_s: 60 })

  const database = new DatabaseSync(desk.file)
  const tables = database
    .prepare("SELECT name FROM sqlite_schema WHERE type = 'table'")
    .all()
    .map(({ name }) => String(name))
  const isSealed = (value: unknown) => typeof value === 'string' && /^v\d:/.test(value)
  const sealed = tables.flatMap((table) =>
    database
      .prepare(`SELECT * FROM "${table}"`)
      .all()
      .flatMap((row) => Object.keys(row).filter((column) => isSealed(row[column])))
      .map((column) => `${table}.${column}`),
  )
  expect([...new Set(sealed), 'users.password_hash'].toSorted()).toEqual(SEALED_COLUMNS.toSorted())

  database.exec(`VACUUM INTO '${join(desk.service.access.dataFolder, 'admin.sqlite')}'`)
  database.close()
  for (const name of SEALED_COLUMNS) {
    const [table, column] = name.split('.')
    const query = `SELECT * FROM ${table} WHERE "${column}" IS NOT NULL OR 1`
    const reply = await desk.send('POST', '/api/db/binnacle-admin/query', { query })
    expect(reply.statusCode).toBe(200)
    expect(reply.json().rows[0]).toMatchObject({ [column ?? '']: null })
    expect(reply.body).not.toMatch(/"v\d:/)
  }
})

async function listed(): Promise<Record<string, unknown>[]> {
  return (await desk.get('/api/db/connections')).json().connections
}

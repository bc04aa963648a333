import { readFileSync } from 'node:fs'
import {
  describePostgres,
  describeRedis,
  freshDatabase,
  freshRedis,
  openRedisProxy,
  until,
} from '@binnacle/stores/testkit'
import { Redis } from 'ioredis'
import pg from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { newDatabaseApp, type TestDatabase } from '#testkit/database-app.ts'

describePostgres('a connection to PostgreSQL', () => {
  test('[DB-7] [DB-8] its tables are listed, described and paged from end to end', async () => {
    const { desk } = await deskOnPostgres()
    expect((await desk.get('/api/db/1/tables')).json().tables).toEqual([
      { name: 'public.trades', kind: 'table' },
    ])
    const columns = (await desk.get('/api/db/1/tables/public.trades/schema')).json().columns
    expect(columns).toMatchObject([
      { name: 'id', type: 'bigint', pk: 1 },
      { name: 'price', type: 'numeric', pk: 0 },
    ])
    const ids: number[] = []
    for (let offset = 0; offset < 120; offset += 50) {
      const page = (await desk.get(`/api/db/1/tables/public.trades/data?limit=50&offset=${offset}`)).json()
      ids.push(...page.rows.map(({ id }: { id: number }) => id))
      expect(page.total).toBe(120)
    }
    expect(ids).toEqual(Array.from({ length: 120 }, (_, index) => index + 1))
  })

  test('[STORE-6] a statement is cancelled by its id, and nothing of it runs in the server', async () => {
    const { desk, client } = await deskOnPostgres()
    const running = desk.send('POST', '/api/db/1/query', {
      query: 'SELECT pg_sleep(60)',
      query_id: 'statement-1',
    })
    const sleeping = async () =>
      (
        await client.query(
          `SELECT FROM pg_stat_activity WHERE datname = current_database() AND query = 'SELECT pg_sleep(60)' AND state = 'active'`,
        )
      ).rowCount
    await until(async () => expect(await sleeping()).toBe(1))
    await desk.send('POST', '/api/db/1/queries/statement-1/cancel')
    expect((await running).json()).toMatchObject({ success: false, error: 'The statement was cancelled.' })
    await until(async () => expect(await sleeping()).toBe(0))
  })

  test('[STORE-4] a write without WHERE waits for the name, runs in a transaction and is in the audit log', async () => {
    const { desk } = await deskOnPostgres()
    const query = 'DELETE FROM trades'
    expect((await desk.send('POST', '/api/db/1/query', { query })).json()).toMatchObject({
      code: 'statement.confirm',
      errors: [{ expected: 'trades' }],
    })
    expect((await desk.send('POST', '/api/db/1/query', { query, confirm: 'trades' })).json()).toMatchObject({
      success: true,
      rows_affected: 120,
    })
    const lines = await desk.store.audit.page({ entity: 'statement' }, Number.MAX_SAFE_INTEGER, 10)
    expect(lines).toHaveLength(2)
  })

  test('[STORE-27] [STORE-28] a superuser reads only after the risk was accepted, which is listed and audited', async () => {
    const database = await freshDatabase(onTestFinished)
    const desk = await deskOn({
      type: 'postgresql',
      connection_string: database.superUrl,
      writable: false,
    })
    const read = async () => (await desk.send('POST', '/api/db/1/query', { query: 'SELECT 1 AS one' })).json()
    expect(await read()).toMatchObject({
      success: false,
      error: expect.stringMatching(/^The role postgres is a superuser: .* Reading is refused\. /),
    })
    expect((await desk.get('/api/db/1/tables')).json()).toMatchObject({ code: 'store.refused' })
    const edited = await desk.send('PUT', '/api/db/connections/1', { accept_privileged_role: true })
    expect(edited.json()).toMatchObject({ accept_privileged_role: true, writable: false })
    expect(await read()).toMatchObject({ success: true, rows: [{ one: 1 }] })
    const [line] = await desk.store.audit.page({ entity: 'connection' }, Number.MAX_SAFE_INTEGER, 1)
    expect(JSON.parse(String(line?.before))).toMatchObject({ accept_privileged_role: 0 })
    expect(JSON.parse(String(line?.after))).toMatchObject({ accept_privileged_role: 1 })
  })

  test('[STORE-37] a test shows the step that failed', async () => {
    const { url } = await freshDatabase(onTestFinished)
    const desk = await deskOn({ type: 'postgresql', connection_string: url })
    for (const [connection_string, step] of [
      [url.replace('127.0.0.1', 'localhost').replace(/:\d+\//, ':1/'), 'TCP'],
      [`${url}?sslmode=require`, 'TLS'],
      [url.replace('battery', 'wrong'), 'authentication'],
      [url.replace(/[^/]*$/, 'nowhere'), 'database'],
    ]) {
      await desk.send('PUT', '/api/db/connections/1', { connection_string })
      const tested = (await desk.send('POST', '/api/db/connections/1/test')).json()
      expect(tested).toMatchObject({ success: false, step })
    }
  })

  test('[STORE-36] a connection to another host is not stored', async () => {
    const desk = await newDatabaseApp()
    const added = await desk.send('POST', '/api/db/connections', {
      name: 'Elsewhere',
      type: 'postgresql',
      database_name: '',
      connection_string: 'postgresql://ada:sesame@db.example/desk',
    })
    expect([added.statusCode, added.json()]).toMatchObject([
      422,
      { code: 'request.invalid', errors: [{ field: 'body.connection_string' }] },
    ])
    expect((await desk.get('/api/db/connections')).body).not.toContain('Elsewhere')
  })

  test('[STORE-5] [STORE-17] an export has every row', async () => {
    const { desk } = await deskOnPostgres()
    const query = 'SELECT n FROM generate_series(1, 20000) AS n'
    const { body } = await desk.send('POST', '/api/db/1/export', { query })
    expect(body.split('\r\n')).toHaveLength(20_002)
  })

  test('[STORE-2] [STORE-11] its password is in no reply, line or file, not even when it is wrong', async () => {
    const { desk, secret } = await deskOnPostgres()
    await desk.send('PUT', '/api/db/connections/1', {
      connection_string: `postgresql://desk:${secret}@127.0.0.1:1/x`,
    })
    const replies = [
      await desk.send('POST', '/api/db/connections/1/test'),
      await desk.get('/api/db/connections'),
      await desk.get('/api/db/1/tables'),
      await desk.send('POST', '/api/db/1/query', { query: 'SELECT 1' }),
      await desk.get('/api/db/1/query-history'),
    ]
    expect(replies.map(({ body }) => body).join()).not.toContain(secret)
    expect(replies[0]?.json().error).toBe('Connection refused: no server is listening at 127.0.0.1:1.')
    expect(replies[2]?.json()).toMatchObject({ code: 'store.unreachable', status: 502 })
    expect(JSON.stringify(await desk.store.audit.page({}, Number.MAX_SAFE_INTEGER, 50))).not.toContain(secret)
    expect(readFileSync(desk.file).includes(secret)).toBe(false)
  })
})

describeRedis('a connection to Redis', () => {
  test('[DB-8] its keys are paged, and commands answer in rows', async () => {
    const { desk } = await deskOnRedis()
    expect((await desk.get('/api/db/1/tables')).json().tables).toEqual([
      { name: 'db0', kind: 'table', rows: 120 },
    ])
    const keys = new Set<string>()
    for (let offset = 0; offset < 120; offset += 50) {
      const page = (await desk.get(`/api/db/1/tables/db0/data?limit=50&offset=${offset}`)).json()
      for (const { key } of page.rows) keys.add(key)
    }
    expect(keys.size).toBe(120)
    expect((await desk.send('POST', '/api/db/1/query', { query: 'GET trade:7' })).json()).toMatchObject({
      success: true,
      rows: [{ value: '7' }],
    })
  })

  test('[STORE-1] [STORE-4] refuses what it does not list, and empties nothing unasked', async () => {
    const { desk, redis } = await deskOnRedis()
    expect((await desk.send('POST', '/api/db/1/query', { query: 'EVAL "return 1" 0' })).json()).toMatchObject(
      {
        success: false,
        error: 'EVAL is not supported here.',
      },
    )
    expect((await desk.send('POST', '/api/db/1/query', { query: 'FLUSHDB' })).json()).toMatchObject({
      code: 'statement.confirm',
      errors: [{ expected: 'db0' }],
    })
    expect(await redis.dbsize()).toBe(120)
    await desk.send('POST', '/api/db/1/query', { query: 'FLUSHDB', confirm: 'db0' })
    expect(await redis.dbsize()).toBe(0)
  })
})

describeRedis('a Redis whose answers do not come', () => {
  test.each([
    '/api/db/1/tables',
    '/api/db/1/tables/db0/data?filter_column=key&filter_value=nowhere',
    '/api/db/1/tables/db0/export?format=csv',
  ])('[STORE-6] %s is left off when its client has gone', async (url) => {
    const { port } = await freshRedis(onTestFinished)
    const redis = new Redis(port)
    onTestFinished(() => redis.disconnect())
    const way = await openRedisProxy(port, onTestFinished)
    const { app } = await deskOn({ type: 'redis', connection_string: way.url, time_limit: 600 })
    const ours = async () => String(await redis.client('LIST')).match(/ name=binnacle /g)
    way.holdNext()
    const gone = new AbortController()
    const asked = expect(app.inject({ method: 'GET', url, signal: gone.signal })).rejects.toThrow()
    await until(async () => expect(await ours()).toHaveLength(1))
    gone.abort()
    await asked
    await until(async () => expect(await ours()).toBeNull())
  })
})

async function deskOnPostgres() {
  const database = await freshDatabase(onTestFinished)
  const client = new pg.Client(database.url)
  await client.connect()
  onTestFinished(() => client.end())
  await client.query('CREATE TABLE trades (id bigint PRIMARY KEY, price numeric)')
  await client.query('INSERT INTO trades SELECT n, n * 1.5 FROM generate_series(1, 120) AS n')
  const desk = await deskOn({ type: 'postgresql', connection_string: database.url })
  return { desk, client, secret: 'open-sesame-7' }
}

async function deskOnRedis() {
  const { url } = await freshRedis(onTestFinished)
  const redis = new Redis(url)
  onTestFinished(() => redis.disconnect())
  const content = redis.pipeline()
  for (let id = 1; id <= 120; id += 1) content.set(`trade:${id}`, String(id))
  await content.exec()
  return { desk: await deskOn({ type: 'redis', connection_string: url }), redis }
}

async function deskOn(connection: {
  type: string
  connection_string: string
  writable?: boolean
  time_limit?: number
}): Promise<TestDatabase> {
  const desk = await newDatabaseApp()
  const added = await desk.send('POST', '/api/db/connections', {
    name: 'Store',
    database_name: '',
    writable: true,
    ...connection,
  })
  expect(added.statusCode).toBe(201)
  return desk
}

import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { storeWorkerProcesses, until } from '@binnacle/stores/testkit'
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { serverAuditContext } from '#storage/audit/audit-context.ts'
import { newDatabaseApp, type TestDatabase } from '#testkit/database-app.ts'

let desk: TestDatabase
beforeEach(async () => {
  desk = await newDatabaseApp()
  const database = new DatabaseSync(join(desk.folder, 'desk.sqlite'))
  database.exec(
    "CREATE TABLE trades (id INTEGER PRIMARY KEY, symbol TEXT); INSERT INTO trades VALUES (1, 'A'), (2, 'B')",
  )
  database.close()
  const desk1 = { name: 'Desk', type: 'sqlite', database_name: 'main', connection_string: 'desk.sqlite' }
  await desk.send('POST', '/api/db/connections', { ...desk1, writable: true })
  await desk.send('POST', '/api/db/connections', { ...desk1, name: 'Read' })
})

const ACT = serverAuditContext('queries.run')
const ENDLESS = 'WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n'

test('[CALL-26] [CALL-44] a statement answers with its rows and time, and is in the history', async () => {
  const result = (await run(1, 'SELECT * FROM trades')).json()
  expect(result).toMatchObject({
    success: true,
    rows: [
      { id: 1, symbol: 'A' },
      { id: 2, symbol: 'B' },
    ],
    rows_affected: null,
    message: null,
    is_cut: false,
  })
  expect(result.execution_time).toBeGreaterThanOrEqual(0)
  expect(await historyOf(1)).toMatchObject([
    { query: 'SELECT * FROM trades', status: 'success', error_message: null },
  ])
})

test('[CALL-30] columns go with the rows, with types, repeated names being suffixed', async () => {
  const { columns, rows } = (await run(1, 'SELECT id, id, symbol AS id, 1.5 AS n FROM trades LIMIT 1')).json()
  expect(columns).toEqual([
    { name: 'id', type: 'INTEGER' },
    { name: 'id_2', type: 'INTEGER' },
    { name: 'id_3', type: 'TEXT' },
    { name: 'n', type: 'REAL' },
  ])
  expect(rows).toEqual([{ id: 1, id_2: 1, id_3: 'A', n: 1.5 }])
})

test('[CALL-26] [CALL-44] a statement that fails answers so, and is in the history with its error', async () => {
  const failed = await run(1, 'SELECT wrong')
  expect([failed.statusCode, failed.json()]).toMatchObject([
    200,
    { success: false, error: 'no such column: wrong.' },
  ])
  expect(await historyOf(1)).toMatchObject([{ status: 'failed', error_message: 'no such column: wrong.' }])
})

test('[STORE-1] a read-only connection refuses to write, and says so', async () => {
  expect((await run(2, 'DELETE FROM trades WHERE id = 1')).json()).toMatchObject({
    success: false,
    error:
      'This statement changes data, but this connection is read-only. Make the connection writable to run it.',
  })
  expect((await run(2, 'SELECT count(*) AS n FROM trades')).json().rows).toEqual([{ n: 2 }])
})

test('one write reports its rows, and the audit log has its intent and its outcome', async () => {
  const written = (await run(1, "UPDATE trades SET symbol = 'C' WHERE id = 1")).json()
  expect(written).toMatchObject({ success: true, rows: null, rows_affected: 1, message: '1 row changed' })
  const failed = (await run(1, 'INSERT INTO trades VALUES (1, NULL)')).json()
  expect(failed).toMatchObject({ success: false, error: 'UNIQUE constraint failed: trades.id.' })
  const lines = await desk.store.audit.page({ entity: 'statement' }, Number.MAX_SAFE_INTEGER, 10)
  expect(lines.toReversed().map(({ after }) => JSON.parse(String(after)).state)).toEqual([
    'asked',
    'done',
    'asked',
    'failed',
  ])
})

test('[STORE-29] a condition that holds for every row needs the name as well, and is in the audit log', async () => {
  const query = 'DELETE FROM trades WHERE id = id'
  const asked = await run(1, query)
  const detail = `This deletes every row of 'trades'. Type the table name "trades" to confirm.`
  expect([asked.statusCode, asked.json()]).toMatchObject([409, { code: 'statement.confirm', detail }])
  const states = async () => {
    const lines = await desk.store.audit.page({ entity: 'statement' }, Number.MAX_SAFE_INTEGER, 10)
    return lines.toReversed().map(({ after }) => JSON.parse(String(after)).state)
  }
  expect(await states()).toEqual(['asked', 'failed'])
  expect((await run(1, 'SELECT count(*) AS n FROM trades')).json().rows).toEqual([{ n: 2 }])
  expect((await run(1, query, { confirm: 'trades' })).json()).toMatchObject({ rows_affected: 2 })
  expect(await states()).toEqual(['asked', 'failed', 'asked', 'done'])
})

test.each([
  [
    'DELETE FROM trades',
    'trades',
    `This deletes every row of 'trades'. Type the table name "trades" to confirm.`,
  ],
  [
    "UPDATE trades SET symbol = (SELECT 'x' WHERE 1)",
    'trades',
    `This changes every row of 'trades'. Type the table name "trades" to confirm.`,
  ],
  [
    'DROP TABLE trades',
    'trades',
    `This drops 'trades' or a part of it. Type the table name "trades" to confirm.`,
  ],
  [
    'ALTER TABLE trades DROP COLUMN symbol',
    'trades',
    `This drops a part of 'trades'. Type the table name "trades" to confirm.`,
  ],
])('[STORE-4] %s needs the name of the table typed again', async (query, table, detail) => {
  for (const confirm of [undefined, 'Trades', 'trade']) {
    const asked = await run(1, query, { confirm })
    expect([asked.statusCode, asked.json()]).toMatchObject([
      409,
      { code: 'statement.confirm', detail, errors: [{ field: 'body.confirm', expected: table }] },
    ])
  }
  expect(await historyOf(1)).toEqual([])
  expect((await run(1, query, { confirm: table })).json()).toMatchObject({ success: true })
})

test('a write with WHERE, and one that only adds, need no name', async () => {
  for (const query of ["DELETE FROM trades WHERE symbol = 'A'", "INSERT INTO trades VALUES (9, 'Z')"]) {
    expect((await run(1, query)).json()).toMatchObject({ success: true, rows_affected: 1 })
  }
})

test('[STORE-5] a result ends at 10,000 rows or at 16 MiB, and says so', async () => {
  const many = 'WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 10001) SELECT i FROM n'
  const byRows = (await run(1, many)).json()
  expect([byRows.rows.length, byRows.is_cut]).toEqual([10_000, true])
  expect(byRows.message).toBe(
    'Only the first 10,000 rows: results are cut at 10,000 rows. An export contains all rows.',
  )
  const wide = many.replace('SELECT i FROM n', "SELECT printf('%.100000c', 'x') AS filling FROM n")
  const byBytes = (await run(1, wide)).json()
  expect([byBytes.rows.length, byBytes.is_cut]).toEqual([167, true])
  expect(byBytes.message).toBe(
    'Only the first 167 rows: results are cut at 16 MiB. An export contains all rows.',
  )
  const exported = await desk.send('POST', '/api/db/1/export', { query: many })
  expect(exported.body.split('\r\n').length).toBe(10_003)
})

test('[STORE-26] formulas in a CSV export are marked as text unless they are requested raw', async () => {
  const query = `SELECT '=1+1' AS a, '+cmd' AS b, '-cmd' AS c, '@x' AS d, char(9) || 'x' AS e, '-1.5e3' AS f, -7 AS g, 'a=b' AS "=h"`
  const exported = async (more: object) =>
    (await desk.send('POST', '/api/db/1/export', { query, ...more })).body
  expect(await exported({})).toBe("a,b,c,d,e,f,g,'=h\r\n'=1+1,'+cmd,'-cmd,'@x,'\tx,-1.5e3,-7,a=b\r\n")
  expect(await exported({ formulas: 'raw' })).toBe(
    'a,b,c,d,e,f,g,=h\r\n=1+1,+cmd,-cmd,@x,\tx,-1.5e3,-7,a=b\r\n',
  )
})

test.each([{}, { formulas: 'raw' }])(
  '[STORE-560] a cell of a CSV export that contains a semicolon is quoted, with %j',
  async (options) => {
    const query = `SELECT ';=1' AS a, 'x;y' AS b, 'z' AS c`
    const reply = await desk.send('POST', '/api/db/1/export', { query, ...options })
    expect(reply.body).toBe('a,b,c\r\n";=1","x;y",z\r\n')
  },
)

test.each(['csv', 'jsonl', 'parquet'])(
  '[CALL-26] an export as %s of a failing statement is answered with the reason',
  async (format) => {
    const query = 'SELECT abs(-9223372036854775807 - 1)'
    const reply = await desk.send('POST', '/api/db/1/export', { query, format })
    expect(reply.statusCode).toBe(422)
    expect(reply.json()).toMatchObject({ code: 'store.refused', detail: 'integer overflow.' })
  },
)

test('[STORE-6] a running statement is cancelled: it answers so, and its process is gone', async () => {
  const running = run(1, ENDLESS, { query_id: 'statement-1' })
  await until(async () => {
    expect((await desk.send('POST', '/api/db/1/queries/statement-1/cancel')).statusCode).toBe(200)
  })
  expect((await running).json()).toMatchObject({ success: false, error: 'The statement was cancelled.' })
  await until(() => expect(storeWorkerProcesses()).toEqual([]))
  expect(await historyOf(1)).toMatchObject([
    { status: 'failed', error_message: 'The statement was cancelled.' },
  ])
  const again = await desk.send('POST', '/api/db/1/queries/statement-1/cancel')
  expect([again.statusCode, again.json().code]).toEqual([409, 'statement.ended'])
})

test('[STORE-6] a statement whose client has gone is stopped', async () => {
  const origin = await desk.app.listen({ port: 0, host: '127.0.0.1' })
  onTestFinished(() => desk.app.close())
  const gone = new AbortController()
  const asked = fetch(`${origin}/api/db/1/query`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ query: ENDLESS }),
    signal: gone.signal,
  })
  await until(() => expect(storeWorkerProcesses().length).toBe(1))
  gone.abort()
  await expect(asked).rejects.toThrow()
  await until(async () =>
    expect(await historyOf(1)).toMatchObject([{ error_message: 'The statement was cancelled.' }]),
  )
  await until(() => expect(storeWorkerProcesses()).toEqual([]))
})

test('[STORE-300] a client that leaves before its statement began runs none', async () => {
  const { statements } = desk.service
  const gone = new AbortController()
  const left = statements.run(ACT, '1', { query: 'DELETE FROM trades', query_id: 'q' }, gone.signal)
  gone.abort()
  await expect(left).rejects.toMatchObject({ code: 'statement.cancelled' })
  expect((await run(1, 'SELECT count(*) AS n FROM trades')).json().rows).toEqual([{ n: 2 }])
})

test('[STORE-300] the client of a refused repetition does not cancel the statement that runs', async () => {
  const { statements } = desk.service
  const request = { query: ENDLESS, query_id: 'q' }
  const [one, two] = [new AbortController(), new AbortController()]
  const running = statements.run(ACT, '1', request, one.signal)
  await until(() => expect(storeWorkerProcesses().length).toBe(1))
  await expect(statements.run(ACT, '1', request, two.signal)).rejects.toMatchObject({
    code: 'request.invalid',
  })
  two.abort()
  expect(await Promise.race([running, Promise.resolve('running')])).toBe('running')
  one.abort()
  expect(await running).toMatchObject({ success: false, error: 'The statement was cancelled.' })
})

test('[STORE-301] a write whose outcome is lost is recorded as unknown, and the reply says that it may have run', async () => {
  const { databases } = desk.service
  const opened = await databases.open('1')
  const lost = vi.spyOn(opened.driver, 'run').mockImplementation(async (_, __, ___, beforeWrite) => {
    await beforeWrite?.(undefined)
    throw new Error('the reply could not be read')
  })
  const reply = await run(1, 'DELETE FROM trades')
  lost.mockRestore()
  expect([reply.statusCode, reply.json()]).toMatchObject([
    500,
    { code: 'server.fault', detail: expect.stringContaining('it may have changed the data') },
  ])
  expect(await historyOf(1)).toMatchObject([
    {
      query: 'DELETE FROM trades',
      status: 'failed',
      error_message: expect.stringContaining('it may have changed the data'),
    },
  ])
  const lines = await desk.store.audit.page({ entity: 'statement' }, Number.MAX_SAFE_INTEGER, 10)
  expect(lines.map(({ after }) => JSON.parse(String(after)).state)).toEqual(['unknown', 'asked'])
})

test('[STORE-6] a connection that is deleted meanwhile ends its statement, and says why', async () => {
  const running = run(1, ENDLESS)
  await until(() => expect(storeWorkerProcesses().length).toBe(1))
  await desk.send('DELETE', '/api/db/connections/1')
  expect((await running).json()).toMatchObject({
    success: false,
    error: 'The statement was cancelled because the connection was changed or closed.',
  })
})

test('[STORE-6] [STORE-18] a statement is stopped at the time limit of its connection', async () => {
  await desk.send('PUT', '/api/db/connections/2', { time_limit: 1 })
  expect((await run(2, ENDLESS)).json()).toMatchObject({
    success: false,
    error: 'The statement hit the 1 s time limit of this connection and was cancelled.',
  })
  await desk.send('PUT', '/api/db/connections/2', { time_limit: 60 })
  expect((await run(2, 'SELECT 1 AS one')).json().rows).toEqual([{ one: 1 }])
})

test('a plan is a tree, and the statement is not run', async () => {
  const explained = await desk.send('POST', '/api/db/1/explain', { query: 'DELETE FROM trades WHERE id = 1' })
  expect(explained.json().plan).toEqual({
    title: 'QUERY PLAN',
    children: [{ title: 'SEARCH trades USING INTEGER PRIMARY KEY (rowid=?)', children: [] }],
  })
  expect((await run(1, 'SELECT count(*) AS n FROM trades')).json().rows).toEqual([{ n: 2 }])
})

test('queries are saved by name, replaced by the same name, and removed', async () => {
  const url = '/api/db/1/saved-queries'
  await desk.send('POST', url, { name: 'Trades', query: 'SELECT 1' })
  await desk.send('POST', url, { name: 'trades', query: 'SELECT 2' })
  const { queries } = (await desk.get(url)).json()
  expect(queries).toMatchObject([{ id: 1, name: 'trades', query: 'SELECT 2' }])
  expect((await desk.get('/api/db/2/saved-queries')).json().queries).toEqual([])
  expect((await desk.send('DELETE', '/api/db/2/saved-queries/1')).statusCode).toBe(404)
  expect((await desk.send('DELETE', `${url}/1`)).statusCode).toBe(200)
  expect((await desk.get(url)).json().queries).toEqual([])
})

test('the history keeps the newest 200 statements of a connection', async () => {
  const statement = {
    connection_id: '1',
    status: 'success',
    executed_at: '',
    execution_time: 0,
    error_message: null,
  }
  for (let nth = 1; nth <= 205; nth += 1)
    await desk.store.statements.addToHistory({ ...statement, query: `SELECT ${nth}` })
  const history = await historyOf(1)
  expect([history.length, history[0]?.query, history.at(-1)?.query]).toEqual([200, 'SELECT 205', 'SELECT 6'])
})

function run(conn: number, query: string, more: object = {}) {
  return desk.send('POST', `/api/db/${conn}/query`, { query, ...more })
}

async function historyOf(conn: number): Promise<{ query: string }[]> {
  return (await desk.get(`/api/db/${conn}/query-history`)).json().history
}

import pg from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { CAPS, sharedFixture } from '#testkit/drivers/driver-fixture.ts'
import { configOf } from '#testkit/drivers/postgres-fixture.ts'
import { describePostgres, freshDatabase } from '#testkit/stores/test-stores.ts'
import type { AtEnd } from '#testkit/temporary-folder.ts'
import { until } from '#testkit/until.ts'
import { connectionOptions } from './connection-options.ts'
import { createPostgresDriver } from './driver.ts'
import { SCREEN_LIMITS } from './message-limiter.ts'
import { inTransaction, openSession, type TransactionOptions } from './session.ts'

const READING: TransactionOptions = {
  access: 'READ ONLY',
  runsUserSql: true,
  timeLimitMs: 0,
  acceptsPrivilegedRole: false,
  limits: SCREEN_LIMITS,
}

describePostgres('a session', () => {
  const store = sharedFixture(prepare)
  const never = new AbortController().signal

  test('[STORE-6] a cancelled statement is cancelled by the server, which keeps its other sessions', async () => {
    const { database, log } = await store()
    // On a busy machine the usual grace may end before the answer is read.
    const session = openSession(connectionOptions(configOf(database)), { cancelGraceMs: 600_000 })
    onTestFinished(() => session.close())
    const cancel = new AbortController()
    const running = inTransaction(session, READING, cancel.signal, (client) =>
      client.query('SELECT pg_sleep(60)'),
    )
    running.catch(() => undefined)
    const sleeping = () =>
      log(
        `SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND query = 'SELECT pg_sleep(60)' AND state = 'active'`,
      )
    await until(async () => expect(await sleeping()).toHaveLength(1))
    cancel.abort(new Error('stop'))
    await expect(running).rejects.toThrow('stop')
    await until(async () => expect(await sleeping()).toEqual([]))
    // Had it been ended by force, the server would have counted it so.
    expect(
      await log('SELECT sessions_killed FROM pg_stat_database WHERE datname = current_database()'),
    ).toEqual([{ sessions_killed: '0' }])
  })

  test('a write that is cancelled is undone, and one that fails too', async () => {
    const { database, log } = await store()
    const driver = opened({ ...configOf(database), writable: true })
    const cancel = new AbortController()
    const running = driver.run('INSERT INTO notes SELECT 1 FROM pg_sleep(60)', CAPS, cancel.signal)
    running.catch(() => undefined)
    const sleeping = () =>
      log(
        `SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND query LIKE 'INSERT%' AND state = 'active'`,
      )
    await until(async () => expect(await sleeping()).toHaveLength(1))
    cancel.abort(new Error('stop'))
    await expect(running).rejects.toThrow('stop')
    await expect(driver.run('INSERT INTO notes VALUES (1), (NULL)', CAPS, never)).rejects.toMatchObject({
      code: 'store.refused',
    })
    expect(await log('SELECT * FROM notes')).toEqual([])
    expect(
      (await driver.run('INSERT INTO notes VALUES (1), (2) RETURNING id', CAPS, never)).rowsAffected,
    ).toBe(2)
    expect(await log('SELECT * FROM notes')).toHaveLength(2)
  })

  test('[STORE-30] a statement is checked and run in one transaction', async () => {
    const { database, log } = await store()
    const driver = opened({ ...configOf(database), writable: true })
    let checkedIn: unknown
    const statement = 'INSERT INTO notes VALUES (1) RETURNING transaction_timestamp() AS at'
    const { rows } = await driver.run(statement, CAPS, never, async () => {
      const sql = `SELECT xact_start AS at FROM pg_stat_activity
        WHERE datname = current_database() AND state = 'idle in transaction'`
      checkedIn = await log(`SELECT to_json(at AT TIME ZONE 'UTC')#>>'{}' || 'Z' AS at FROM (${sql}) AS t`)
    })
    expect(rows.map((row) => ({ ...row }))).toEqual(checkedIn)
  })

  test('the server ends a statement by itself when the service does not', async () => {
    const { database } = await store()
    const driver = opened({ ...configOf(database), timeLimitMs: -900 })
    await expect(driver.run('SELECT pg_sleep(60)', CAPS, never)).rejects.toMatchObject({
      code: 'statement.timeout',
    })
  })

  test('a session ended by the server is reported, and the next statement gets a new one', async () => {
    const { database, log } = await store()
    const driver = opened(configOf(database))
    const running = driver.run('SELECT pg_sleep(60)', CAPS, never)
    running.catch(() => undefined)
    const end = () =>
      log(
        `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND query = 'SELECT pg_sleep(60)' AND state = 'active'`,
      )
    await until(async () => expect(await end()).toHaveLength(1))
    await expect(running).rejects.toMatchObject({ code: 'store.unreachable' })
    expect((await driver.run('SELECT 1', CAPS, never)).rows).toHaveLength(1)
  })

  test('at most three connections are opened, and a further statement waits for one of them', async () => {
    const { database, log } = await store()
    const driver = opened(configOf(database))
    const stop = new AbortController()
    const busy = Array.from({ length: 3 }, () => driver.run('SELECT pg_sleep(60)', CAPS, stop.signal))
    for (const one of busy) one.catch(() => undefined)
    const sessions = (condition: string) =>
      log(
        `SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'Binnacle' AND ${condition}`,
      )
    await until(async () => expect(await sessions("query = 'SELECT pg_sleep(60)'")).toHaveLength(3))
    const waiting = driver.run('SELECT 1 AS one', CAPS, never)
    expect(await sessions('true')).toHaveLength(3)
    stop.abort(new Error('stop'))
    expect((await waiting).rows).toEqual([{ one: 1 }])
    await Promise.allSettled(busy)
  })
})

function opened(config: Parameters<typeof createPostgresDriver>[0]) {
  const driver = createPostgresDriver(config)
  onTestFinished(() => driver.close())
  return driver
}

async function prepare(atEnd: AtEnd) {
  const database = await freshDatabase(atEnd)
  const client = new pg.Client(database.superUrl)
  await client.connect()
  atEnd(() => client.end())
  await client.query('CREATE TABLE notes (id int NOT NULL); GRANT ALL ON notes TO PUBLIC')
  const log = async (sql: string) => (await client.query<Record<string, unknown>>(sql)).rows
  return { database, log }
}

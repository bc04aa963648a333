import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import pg from 'pg'
import { describe, expect, onTestFinished, test } from 'vitest'
import { createPostgresDriver } from '#postgres/driver.ts'
import { createSqliteDriver } from '#sqlite/driver.ts'
import { CAPS, sharedFixture } from '#testkit/drivers/driver-fixture.ts'
import { configOf } from '#testkit/drivers/postgres-fixture.ts'
import { describePostgres, freshDatabase } from '#testkit/stores/test-stores.ts'
import { temporaryFolder } from '#testkit/temporary-folder.ts'
import type { Confirmation, ConnectionConfig, Driver } from './driver.ts'

const RESET = 'DELETE FROM vacant; DELETE FROM trades; INSERT INTO trades VALUES (1, 10), (2, 20), (3, 30);'

const CONTENT = `
  CREATE TABLE trades (id int PRIMARY KEY, price int);
  CREATE TABLE vacant (id int PRIMARY KEY);
  CREATE TABLE other (id int PRIMARY KEY);
  INSERT INTO other VALUES (2);
  ${RESET}`

/** Writes with a condition that holds for every row. */
const EVERY_ROW: [sql: string, act: string][] = [
  ['DELETE FROM trades WHERE id = id', 'deletes'],
  ['DELETE FROM trades WHERE id > 0 OR price > 0', 'deletes'],
  ['DELETE FROM trades WHERE id IN (SELECT id FROM trades)', 'deletes'],
  ['UPDATE trades SET price = 0 WHERE id = id', 'changes'],
  ['UPDATE trades SET price = price WHERE price IS NOT NULL', 'changes'],
  [
    'INSERT INTO trades SELECT id, 0 FROM trades WHERE true ON CONFLICT (id) DO UPDATE SET price = 0',
    'changes',
  ],
]

/** Writes that leave a row as it was, or have none to change. */
const SOME_ROWS = [
  'DELETE FROM trades WHERE id > 1',
  'UPDATE trades SET price = 0 WHERE id <> 2',
  'UPDATE trades SET price = 0 WHERE id IN (SELECT id FROM other)',
  'DELETE FROM vacant WHERE id = id',
  'UPDATE vacant SET id = 1 WHERE id = id',
  'INSERT INTO vacant VALUES (1), (2) ON CONFLICT (id) DO UPDATE SET id = 9',
  'INSERT INTO trades VALUES (3, 0), (4, 0) ON CONFLICT (id) DO UPDATE SET price = 0',
  'INSERT INTO trades VALUES (4, 0), (5, 0), (6, 0), (7, 0)',
]

describe('SQLite', () => {
  const stage = sharedFixture(async (atEnd): Promise<Stage> => {
    const folder = temporaryFolder({}, atEnd)
    const file = join(folder, 'desk.sqlite')
    const database = new DatabaseSync(file)
    atEnd(() => database.close())
    database.exec(CONTENT)
    const access = { databaseFolders: [folder], dataFolder: join(folder, 'data') }
    const config: ConnectionConfig = {
      ...configOf({ url: file, name: 'desk' }),
      kind: 'sqlite',
      writable: true,
    }
    const driver = createSqliteDriver(config, access)
    atEnd(() => driver.close())
    return {
      driver,
      rows: async () => JSON.stringify(database.prepare('SELECT * FROM trades ORDER BY id').all()),
      execute: async (sql) => database.exec(sql),
    }
  })
  holdsForEveryRow(stage)

  test('[STORE-29] REPLACE of every row is asked for', async () => {
    const { driver, execute } = await stage()
    await execute(RESET)
    expect(await questionsOf(driver, 'REPLACE INTO trades SELECT id, 0 FROM trades')).toEqual([
      undefined,
      { table: 'trades', sentence: "This changes every row of 'trades'." },
    ])
    expect(await questionsOf(driver, 'REPLACE INTO trades VALUES (1, 1)')).toEqual([undefined])
  })
})

describePostgres('PostgreSQL', () => {
  const stage = sharedFixture(async (atEnd): Promise<Stage> => {
    const database = await freshDatabase(atEnd)
    const client = new pg.Client(database.url)
    await client.connect()
    atEnd(() => client.end())
    await client.query(`${CONTENT}
      CREATE VIEW cheap AS SELECT * FROM trades WHERE id < 3;
      CREATE TABLE parted (id int) PARTITION BY LIST (id);
      CREATE TABLE parted_1 PARTITION OF parted FOR VALUES IN (1);
      CREATE TABLE parted_2 PARTITION OF parted FOR VALUES IN (2);
      INSERT INTO parted VALUES (1), (2)`)
    const driver = createPostgresDriver({ ...configOf(database), writable: true })
    atEnd(() => driver.close())
    return {
      driver,
      rows: async () => JSON.stringify((await client.query('SELECT * FROM trades ORDER BY id')).rows),
      execute: async (sql) => void (await client.query(sql)),
    }
  })
  holdsForEveryRow(stage)

  test.each([
    'WITH gone AS (DELETE FROM trades WHERE id = id RETURNING id) SELECT count(*) FROM gone',
    'WITH new AS (UPDATE trades SET price = 0 WHERE id = id RETURNING id) SELECT count(*) FROM new',
    'DELETE FROM ONLY public.trades AS t WHERE t.id = t.id',
    'UPDATE cheap SET price = 0 WHERE id = id',
    'DELETE FROM cheap WHERE id = id',
    'UPDATE parted SET id = id WHERE id = id',
  ])('[STORE-29] is found in a WITH, a view and a partitioned table: %s', async (sql) => {
    const { driver, execute } = await stage()
    await execute(RESET)
    expect((await questionsOf(driver, sql)).length).toBe(2)
  })

  test('[STORE-29] is asked for where the role may not read the table', async () => {
    const { driver, execute } = await stage()
    await execute(`${RESET}; REVOKE SELECT ON trades FROM CURRENT_USER`)
    onTestFinished(() => execute('GRANT SELECT ON trades TO CURRENT_USER'))
    const sql = 'UPDATE trades SET price = 0 WHERE EXISTS (SELECT FROM other WHERE other.id = 2)'
    expect((await questionsOf(driver, sql)).length).toBe(2)
  })
})

interface Stage {
  driver: Driver
  rows(): Promise<string>
  execute(sql: string): Promise<void>
}

function holdsForEveryRow(stage: () => Promise<Stage>): void {
  test.each(EVERY_ROW)(
    '[STORE-29] a write to every row is undone unless it is confirmed: %s',
    async (sql, act) => {
      const { driver, rows, execute } = await stage()
      await execute(RESET)
      const before = await rows()
      const questions = await questionsOf(driver, sql)
      expect(questions[0]).toBeUndefined()
      expect(questions[1]).toMatchObject({ table: 'trades' })
      expect(questions[1]?.sentence).toMatch(`This ${act} every row of`)
      expect(await rows()).toBe(before)
      expect((await driver.run(sql, CAPS, never)).rowsAffected).toBe(3)
    },
  )

  test('[STORE-29] other writes are asked for once', async () => {
    const { driver, execute } = await stage()
    for (const sql of SOME_ROWS) {
      await execute(RESET)
      expect([sql, await questionsOf(driver, sql)]).toEqual([sql, [undefined]])
    }
  })
}

const never = new AbortController().signal

/** What `beforeWrite` is called with. The second call, before the commit, is refused. */
async function questionsOf(driver: Driver, sql: string): Promise<(Confirmation | undefined)[]> {
  const questions: (Confirmation | undefined)[] = []
  const refusal = new Error('refused')
  const run = driver.run(sql, CAPS, never, async (confirm) => {
    questions.push(confirm)
    if (questions.length > 1) throw refusal
  })
  const outcome = await run.catch((reason) => reason)
  if (questions.length > 1) expect(outcome).toBe(refusal)
  else if (outcome instanceof Error) throw outcome
  return questions
}

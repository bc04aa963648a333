import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { Source } from '@binnacle/stores'
import { openDuck, quoteText } from '@binnacle/stores'
import { freshDatabase, freshRedis, temporaryFolder } from '@binnacle/stores/testkit'
import { Redis } from 'ioredis'
import pg from 'pg'
import { onTestFinished } from 'vitest'

/** A small real store with the numbers 1, 2 and 3. */
export interface NumberStore {
  source: Source
  binFolder?: string | undefined
  /** Adds 4 and an object that no backup contains. */
  change(): Promise<void>
  read(): Promise<number[]>
  /** Leftovers beside the store. */
  left(): Promise<string[]>
}

export async function newSqlite(): Promise<NumberStore> {
  const folder = temporaryFolder()
  const file = join(folder, 'ledger.sqlite')
  const run = <Result>(use: (db: DatabaseSync) => Result) => {
    const database = new DatabaseSync(file)
    const result = use(database)
    database.close()
    return result
  }
  run((db) => db.exec('PRAGMA journal_mode = WAL; CREATE TABLE t (n); INSERT INTO t VALUES (1), (2), (3)'))
  return {
    source: { type: 'sqlite', file },
    change: async () =>
      run((db) =>
        db.exec('DELETE FROM t WHERE n = 4; INSERT INTO t VALUES (4); CREATE TABLE IF NOT EXISTS extra (n)'),
      ),
    read: async () =>
      run((db) =>
        db
          .prepare('SELECT n FROM t ORDER BY n')
          .all()
          .map(({ n }) => Number(n)),
      ),
    left: async () => readdirSync(folder).filter((name) => name !== 'ledger.sqlite'),
  }
}

export async function newParquet(): Promise<NumberStore> {
  const parent = temporaryFolder({ 'ledger/readme.txt': 'kept' })
  const folder = join(parent, 'ledger')
  const run = async (sql: string) => {
    const duck = await openDuck({ folder })
    const read = await duck.connection.runAndReadAll(sql)
    duck.close()
    return read.getRowObjects()
  }
  const put = (name: string, rows: string) =>
    run(`COPY (SELECT * FROM (VALUES ${rows}) AS t(n)) TO ${quoteText(join(folder, name))} (FORMAT parquet)`)
  await put('a.parquet', '(1), (2), (3)')
  return {
    source: { type: 'parquet', folder },
    async change() {
      await put('a.parquet', '(1), (2)')
      await put('b.parquet', '(3), (4)')
    },
    read: async () =>
      (await run(`SELECT n FROM read_parquet(${quoteText(join(folder, '*.parquet'))}) ORDER BY n`)).map(
        ({ n }) => Number(n),
      ),
    left: async () => readdirSync(parent).filter((name) => name !== 'ledger'),
  }
}

export async function newPostgres(): Promise<NumberStore> {
  const { url, binFolder } = await freshDatabase(onTestFinished)
  const run = async (sql: string) => {
    const client = new pg.Client(url)
    await client.connect()
    const { rows } = await client.query(sql)
    await client.end()
    return rows
  }
  await run('CREATE TABLE t (n integer PRIMARY KEY); INSERT INTO t VALUES (1), (2), (3)')
  return {
    source: { type: 'postgresql', url },
    binFolder,
    change: async () =>
      void (await run(
        'INSERT INTO t VALUES (4) ON CONFLICT DO NOTHING; CREATE TABLE IF NOT EXISTS extra (n integer REFERENCES t)',
      )),
    read: async () => (await run('SELECT n FROM t ORDER BY n')).map(({ n }) => Number(n)),
    left: async () => [],
  }
}

export async function newRedis(): Promise<NumberStore> {
  const { url } = await freshRedis(onTestFinished)
  const run = async <Result>(use: (redis: Redis) => Promise<Result>) => {
    const redis = new Redis(url)
    const result = await use(redis)
    redis.disconnect()
    return result
  }
  await run((redis) => redis.rpush('list', 1, 2, 3))
  return {
    source: { type: 'redis', url },
    change: () =>
      run(async (redis) => {
        await redis.del('list')
        await redis.rpush('list', 1, 2, 3, 4)
        await redis.select(3)
        await redis.set('extra', 'x')
      }),
    read: () => run(async (redis) => (await redis.lrange('list', 0, -1)).map(Number)),
    left: () =>
      run(async (redis) => {
        const filled = [...(await redis.info('keyspace')).matchAll(/^db(\d+):/gm)].map(([, n]) => n ?? '')
        return filled.filter((database) => !['0', '3'].includes(database))
      }),
  }
}

import { describe, expect, test } from 'vitest'
import { CAPS, confirmationOf, type DriverFixture, sharedFixture } from '#testkit/drivers/driver-fixture.ts'
import { parquetFixture } from '#testkit/drivers/parquet-fixture.ts'
import { postgresFixture } from '#testkit/drivers/postgres-fixture.ts'
import { redisFixture } from '#testkit/drivers/redis-fixture.ts'
import { retainedBytes } from '#testkit/drivers/retained-bytes.ts'
import { sqliteFixture } from '#testkit/drivers/sqlite-fixture.ts'
import { describePostgres, describeRedis } from '#testkit/stores/test-stores.ts'
import type { AtEnd } from '#testkit/temporary-folder.ts'
import { until } from '#testkit/until.ts'
import type { Anchor, Driver, Page } from './driver.ts'
import { StoreRefusal } from './store-refusal.ts'

describePostgres('PostgreSQL', () => conforms(postgresFixture))
describeRedis('Redis', () => conforms(redisFixture))
describe('SQLite', () => conforms(sqliteFixture))
describe('Parquet', () => conforms(parquetFixture))

/** The rules that every driver keeps, on a real store. */
function conforms(setUp: (atEnd: AtEnd) => Promise<DriverFixture>): void {
  const ready = sharedFixture(setUp)
  const shared = sharedFixture(async (atEnd) => {
    const driver = (await ready()).open()
    atEnd(() => driver.close())
    return driver
  })
  const never = new AbortController().signal

  async function withDriver<Result>(
    act: (driver: Driver, stage: DriverFixture) => Promise<Result>,
  ): Promise<Result> {
    return act(await shared(), await ready())
  }

  test('returns the version, without unfounded warnings', () =>
    withDriver(async (driver, { version, kind }) => {
      const info = await driver.ping(never)
      expect(info.version).toMatch(version)
      expect(info.warnings).toEqual([])
      expect(driver.kind).toBe(kind)
    }))

  test('lists the tables', () =>
    withDriver(async (driver, { table, hostileTables }) => {
      const names = (await driver.tables(never)).map(({ name }) => name)
      expect(names).toEqual(expect.arrayContaining([table, ...hostileTables]))
      expect(new Set(names).size).toBe(names.length)
    }))

  test('[DB-7] lists the columns with type, not null and primary key', () =>
    withDriver(async (driver, { table, schema }) => {
      expect((await driver.schema(table, never)).columns).toEqual(schema)
    }))

  test('[STORE-10] [STORE-19] gives every row once, page after page, and an exact total', () =>
    withDriver(async (driver, stage) => {
      const pages = await walk(driver, stage, 50)
      expect(pages.map(({ rows }) => rows.length)).toEqual([50, 50, 20])
      expect(pages.map(({ total, totalIsEstimate }) => [total, totalIsEstimate])).toEqual([
        [120, false],
        [120, false],
        [120, false],
      ])
      expect(new Set(pages.flatMap((page) => idsOf(page, stage))).size).toBe(120)
    }))

  test('[STORE-10] finds each page by its offset alone as well, from either end', () =>
    withDriver(async (driver, stage) => {
      const pages = await walk(driver, stage, 50)
      for (const [index, page] of pages.entries()) {
        const alone = await driver.page({ table: stage.table, limit: 50, offset: index * 50 }, never)
        expect(idsOf(alone, stage)).toEqual(idsOf(page, stage))
      }
    }))

  test('[STORE-10] goes back from a page to the one before', () =>
    withDriver(async (driver, stage) => {
      const [first, second, third] = await walk(driver, stage, 50)
      const back = async (from: Page | undefined, offset: number) => {
        const anchor = from?.firstKey && ({ key: from.firstKey, side: 'before' } satisfies Anchor)
        return idsOf(await driver.page({ table: stage.table, limit: 50, offset, anchor }, never), stage)
      }
      expect(await back(third, 50)).toEqual(second && idsOf(second, stage))
      expect(await back(second, 0)).toEqual(first && idsOf(first, stage))
    }))

  test('gives no rows beyond the end', () =>
    withDriver(async (driver, { table }) => {
      for (const offset of [120, 150, Number.MAX_SAFE_INTEGER]) {
        expect((await driver.page({ table, limit: 50, offset }, never)).rows).toEqual([])
      }
    }))

  test('[STORE-9] opens tables whatever they are called', () =>
    withDriver(async (driver, { hostileTables }) => {
      for (const table of hostileTables) {
        const page = await driver.page({ table, limit: 50, offset: 0 }, never)
        expect([table, page.rows.length, page.total]).toEqual([table, 1, 1])
        expect((await driver.schema(table, never)).columns.length).toBeGreaterThan(0)
      }
    }))

  test('[STORE-9] knows no table but those it lists, however the name is made', () =>
    withDriver(async (driver, stage) => {
      const before = await stage.fingerprint()
      for (const table of [
        'nowhere',
        `${stage.table}; DROP TABLE ${stage.table}`,
        `${stage.table}" --`,
        `${stage.table}\0`,
        `(SELECT 1)`,
        '../../../etc/passwd',
        'db0 0',
        '',
      ]) {
        await expect(driver.page({ table, limit: 1, offset: 0 }, never)).rejects.toMatchObject({
          code: 'thing.unknown',
        })
        await expect(driver.schema(table, never)).rejects.toMatchObject({ code: 'thing.unknown' })
      }
      expect(await stage.fingerprint()).toBe(before)
    }))

  test('sorts and filters where it says so, and refuses it elsewhere', () =>
    withDriver(async (driver, { table, id }) => {
      const sorted = driver.page(
        { table, limit: 2, offset: 0, sort: { column: id, descending: true } },
        never,
      )
      if (driver.capabilities.sort) expect((await sorted).rows.map((row) => row[id])).toEqual([120, 119])
      else await expect(sorted).rejects.toMatchObject({ code: 'store.unsupported' })
      const filter = { column: id, operator: 'contains', value: '11' } as const
      const filtered = await driver.page({ table, limit: 50, offset: 0, filter }, never)
      expect([filtered.rows.length, filtered.total]).toEqual([11, 11])
    }))

  test('[STORE-9] takes a column of a sort or filter for a name and nothing else', () =>
    withDriver(async (driver, { table }) => {
      const column = '1; DROP TABLE trades'
      const filter = { column, operator: 'eq', value: "' OR 1=1 --" } as const
      await expect(driver.page({ table, limit: 1, offset: 0, filter }, never)).rejects.toMatchObject({
        code: 'request.invalid',
      })
      const sort = { column, descending: false }
      await expect(driver.page({ table, limit: 1, offset: 0, sort }, never)).rejects.toBeInstanceOf(
        StoreRefusal,
      )
    }))

  test('[CALL-29] [CALL-30] encodes values without loss', () =>
    withDriver(async (driver, { values }) => {
      const { rows, columns, rowsAffected } = await driver.run(values.statement, CAPS, never)
      expect(rows.map((row) => ({ ...row }))).toEqual([values.row])
      expect(columns.map(({ name }) => name)).toEqual(Object.keys(values.row))
      expect(rowsAffected).toBeNull()
    }))

  test('[STORE-5] ends a result at the cap on rows or bytes, and says which', () =>
    withDriver(async (driver, { many }) => {
      const byRows = await driver.run(many, { ...CAPS, rows: 10 }, never)
      expect([byRows.rows.length, byRows.cut]).toEqual([10, 'rows'])
      const byBytes = await driver.run(many, { ...CAPS, bytes: 150 }, never)
      expect(byBytes.cut).toBe('bytes')
      expect(byBytes.rows.length).toBeLessThan(20)
      expect((await driver.run(many, CAPS, never)).cut).toBeUndefined()
    }))

  test('[STORE-6] stops in the store itself, with the given reason', () =>
    withDriver(async (driver, { endless, runningStatements }) => {
      await endless.arrange?.()
      const reason = new StoreRefusal('statement.cancelled', 'Enough.')
      const cancel = new AbortController()
      const stopped = expect(driver.run(endless.statement, CAPS, cancel.signal)).rejects.toBe(reason)
      await until(async () => expect(await runningStatements()).not.toEqual([]))
      cancel.abort(reason)
      await stopped
      // How soon is measured in bench/cancel.bench.ts.
      await until(async () => expect(await runningStatements()).toEqual([]))
    }))

  test('[STORE-6] [STORE-18] keeps a time limit, and is usable afterwards', () =>
    withDriver(async (driver, { endless, values }) => {
      await endless.arrange?.()
      const limit = AbortSignal.timeout(300)
      const failure = await driver.run(endless.statement, CAPS, limit).catch((reason) => reason)
      expect(failure).toBe(limit.reason)
      expect((await driver.run(values.statement, CAPS, never)).rows).toHaveLength(1)
    }))

  test('does nothing for a signal that is aborted already', () =>
    withDriver(async (driver, { values }) => {
      const reason = new Error('too late')
      await expect(driver.run(values.statement, CAPS, AbortSignal.abort(reason))).rejects.toBe(reason)
    }))

  test('describes an invalid statement in a sentence', () =>
    withDriver(async (driver, { broken }) => {
      const failure = await driver.run(broken, CAPS, never).catch((reason) => reason)
      expect(failure).toMatchObject({ code: 'store.refused' })
      expect(failure.message).toMatch(/^.{10,}[.!]$/s)
    }))

  test('[STORE-11] says why a store cannot be reached, without its secret', async () => {
    const { unreachable, open } = await ready()
    const reached = async () => {
      const driver = open({ connectionString: unreachable.connectionString })
      try {
        return await driver.ping(never)
      } finally {
        await driver.close()
      }
    }
    const failure = await reached().catch((reason) => reason)
    expect(failure).toBeInstanceOf(StoreRefusal)
    expect(failure.message).toMatch(unreachable.sentence)
    expect(JSON.stringify({ ...failure, text: failure.message })).not.toMatch(/wrong|staple|sesame/)
  })

  test('[STORE-1] writes only where it may, and reports how much', async () => {
    const { write, destructive, fingerprint, open } = await ready()
    if (write === undefined) return
    const before = await fingerprint()
    await withDriver(async (driver) => {
      await expect(driver.run(write.statement, CAPS, never)).rejects.toMatchObject({
        code: 'store.read-only',
      })
      if (destructive)
        await expect(driver.run(destructive.statement, CAPS, never)).rejects.toMatchObject({
          code: 'store.read-only',
        })
    })
    expect(await fingerprint()).toBe(before)
    const writer = open({ writable: true })
    expect(await confirmationOf(writer, write.statement)).toBeUndefined()
    expect(await fingerprint()).toBe(before)
    expect((await writer.run(write.statement, CAPS, never)).rowsAffected).toBe(write.changed)
    if (destructive)
      expect((await confirmationOf(writer, destructive.statement))?.table).toBe(destructive.table)
    await writer.close()
    expect(await fingerprint()).not.toBe(before)
  })

  test('[STORE-5] streams large results in the memory of a few batches', () =>
    withDriver(async (driver, { bulk }) => {
      await bulk.arrange?.()
      const { batches, columns } = await driver.stream(bulk.source, never)
      const before = await retainedBytes()
      const readings: number[] = []
      let rows = 0
      for await (const batch of batches) {
        expect(batch[0]).toHaveLength(columns.length)
        rows += batch.length
        // Early, rows read ahead are in memory; at the end, rows not released. Each reading collects all garbage.
        const readAt = readings.length === 0 ? bulk.rows / 4 : bulk.rows
        if (rows >= readAt) readings.push((await retainedBytes()) - before)
      }
      expect(rows).toBe(bulk.rows)
      expect(readings).toHaveLength(2)
      expect(Math.max(...readings)).toBeLessThan(20_000_000)
    }))

  test('ends an abandoned stream, and releases everything on close', () =>
    withDriver(async (driver, { bulk, connections, runningStatements, table }) => {
      const stream = await driver.stream(bulk.source, never)
      for await (const _ of stream.batches) break
      await driver.page({ table, limit: 1, offset: 0 }, never)
      await driver.close()
      await until(async () => expect([await connections(), await runningStatements()]).toEqual([0, []]))
      expect((await driver.page({ table, limit: 1, offset: 0 }, never)).rows).toHaveLength(1)
    }))

  test('draws a plan where it says so', () =>
    withDriver(async (driver, { many }) => {
      const plan = driver.explain(many, never)
      if (driver.capabilities.explain) expect((await plan).title).not.toBe('')
      else await expect(plan).rejects.toMatchObject({ code: 'store.unsupported' })
    }))

  async function walk(driver: Driver, { table }: DriverFixture, limit: number): Promise<Page[]> {
    const pages: Page[] = []
    let anchor: Anchor | undefined
    for (let offset = 0; offset < 120; offset += limit) {
      const page = await driver.page({ table, limit, offset, anchor }, never)
      pages.push(page)
      anchor = page.lastKey && { key: page.lastKey, side: 'after' }
    }
    return pages
  }
}

function idsOf({ rows }: Page, { id }: DriverFixture): unknown[] {
  return rows.map((row) => row[id])
}

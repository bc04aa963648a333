import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { NewConnection } from '@binnacle/contract'
import { DEFAULT_LIMITS, type DeskViews } from '@binnacle/engine'
import {
  describePostgres,
  describeRedis,
  freshDatabase,
  freshRedis,
  temporaryFolder,
} from '@binnacle/stores/testkit'
import { Redis } from 'ioredis'
import pg from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { openAdminServices } from '#admin/admin-services.ts'
import { describePurge } from '#databases/maintenance/maintenance-jobs.ts'
import { type MaintenanceServicesOptions, openMaintenanceServices } from '#databases/maintenance-services.ts'
import { createHttpApp } from '#http/app.ts'
import { createApps } from '#server.ts'
import { openAdminStore } from '#storage/admin-store.ts'
import { serverAuditContext } from '#storage/audit/audit-context.ts'
import { newDatabaseService } from '#testkit/database-service.ts'
import { openInMemoryDesk } from '#testkit/in-memory-desk.ts'
import { silentLog } from '#testkit/silent-log.ts'
import { addCacheRoutes } from './maintenance.routes.ts'

test.each([
  ['backup', { db_type: 'postgresql' }, 'PostgreSQL is not configured. Set BINNACLE_POSTGRES_URL, or add'],
  ['optimize', { db_type: 'postgresql' }, 'PostgreSQL is not configured. Set BINNACLE_POSTGRES_URL, or add'],
  ['clean', { cache_type: 'redis' }, 'Redis is not configured. Set BINNACLE_REDIS_URL, or add'],
])('[MAINT-9] %s of %j without such a store says what to set', async (act, body, detail) => {
  const { post } = await newServer()
  const reply = await post(`/api/database/${act}`, body)
  expect(reply.statusCode).toBe(409)
  expect(reply.json()).toMatchObject({
    code: 'store.not-configured',
    detail: expect.stringContaining(detail),
  })
})

test('[MAINT-9] the figures of Redis say what to set too', async () => {
  const { app } = await newServer()
  const reply = await app.inject('/api/nautilus/database/redis-stats')
  expect(reply.json()).toMatchObject({ code: 'store.not-configured' })
})

test('[MAINT-9] [MAINT-17] work on all stores does what it can and names what is missing', async () => {
  const { post } = await newServer()
  const reply = await post('/api/database/optimize', { db_type: 'all' })
  expect(reply.json()).toEqual({
    message: 'Binnacle market data: nothing to optimise; Not configured: PostgreSQL, Redis',
  })
})

test('[MAINT-10] old Parquet files are listed by a dry run and deleted by the next', async () => {
  const { post, dataFolder } = await newServer()
  const bars = join(dataFolder, 'catalog', 'bars', 'BTCUSDT', '1m')
  mkdirSync(bars, { recursive: true })
  for (const month of ['2020-01', '2020-02']) writeFileSync(join(bars, `${month}.parquet`), 'x'.repeat(1536))
  writeFileSync(join(bars, '2999-01.parquet'), 'y')
  const preview = await post('/api/database/clean', { cache_type: 'parquet', dry_run: true })
  expect(preview.json()).toEqual({ message: 'Binnacle market data: deletes 2 files (3 KB)' })
  expect(existsSync(join(bars, '2020-01.parquet'))).toBe(true)
  const gone = await post('/api/nautilus/database/clean-parquet')
  expect(gone.json()).toEqual({ message: 'Binnacle market data: deleted 2 files (3 KB)' })
  expect(
    ['2020-01', '2020-02', '2999-01'].map((month) => existsSync(join(bars, `${month}.parquet`))),
  ).toEqual([false, false, true])
})

test.each([
  ['parquet', 'Preview: clean Parquet', 'Clean Parquet'],
  ['all', 'Preview: clean all databases', 'Clean all databases'],
] as const)(
  '[MAINT-58] the audit record of a preview of a clean of %s says so',
  async (cache_type, preview, clean) => {
    const { post, store } = await newServer()
    await post('/api/database/clean', { cache_type, dry_run: true })
    await post('/api/database/clean', { cache_type })
    const lines = await store.audit.page({ action: 'maintenance.clean' }, Number.MAX_SAFE_INTEGER, 10)
    const kind = `maintenance.clean.${cache_type}`
    expect(lines.map(({ after }) => JSON.parse(after ?? ''))).toEqual([
      { kind, title: clean, state: 'queued' },
      { kind, title: preview, state: 'queued', dry_run: true },
    ])
  },
)

test('[MAINT-6] an export of the catalog returns its size', async () => {
  const { post } = await newServer()
  const reply = await post('/api/database/backup', { db_type: 'parquet' })
  expect(reply.json()).toEqual({ message: 'Binnacle market data backed up: 11 B, as backup 1' })
})

test('[MAINT-21] the status names the store of each kind with size, last backup and last optimisation', async () => {
  const { app, post, dataFolder } = await newServer()
  const before = (await app.inject('/api/database/status')).json().stores
  expect(before).toEqual([
    {
      kind: 'parquet',
      connection_id: 'binnacle-catalog',
      name: 'Binnacle market data',
      target: join(dataFolder, 'catalog'),
      size: expect.any(Number),
      last_backup: null,
      last_optimized: null,
    },
  ])
  await post('/api/database/backup', { db_type: 'parquet' })
  await post('/api/database/optimize', { db_type: 'all' })
  const [after] = (await app.inject('/api/database/status')).json().stores
  expect([after.last_backup, after.last_optimized]).toEqual([
    expect.stringMatching(/^\d{4}-.*Z$/),
    expect.stringMatching(/^\d{4}-.*Z$/),
  ])
})

test("the engine's cache returns its figures", async () => {
  const { app } = await newServer()
  const reply = await app.inject('/api/nautilus/cache/stats')
  expect(reply.json()).toEqual({ status: 'running', orders: 0, positions: 0, strategies: 0, journal_seq: 1 })
})

test('the cache shows the state of an engine that has restarted, not those from before', async () => {
  const before = await openInMemoryDesk()
  const after = await openInMemoryDesk()
  await after.submit({ type: 'ChangeLimits', limits: { ...DEFAULT_LIMITS, maxPositions: 11 } })
  const desk: { views: DeskViews } = { views: before.views }
  const app = createHttpApp({ logger: silentLog })
  addCacheRoutes(app, desk)
  desk.views = after.views
  const reply = await app.inject('/api/nautilus/cache/stats')
  expect(reply.json()).toMatchObject({ journal_seq: after.views.revision })
  expect(after.views.revision).not.toBe(before.views.revision)
})

describePostgres('PostgreSQL', () => {
  test('[MAINT-11] is optimised with its sizes before and after, and backed up, each with a line', async () => {
    const { url, binFolder } = await freshDatabase(onTestFinished)
    const client = new pg.Client(url)
    await client.connect()
    await client.query('CREATE TABLE t AS SELECT n, repeat(md5(n::text), 8) FROM generate_series(1, 5000) n')
    await client.query('DELETE FROM t WHERE n > 10')
    await client.end()
    const { post, store } = await newServer({ postgresUrl: url, postgresTools: { path: '', binFolder } })
    const optimised = await post('/api/nautilus/database/optimize-postgresql')
    const [, before, after] =
      /^PostgreSQL: 1 tables optimised, ([\d.]+) MB before and ([\d.]+) MB after$/.exec(
        optimised.json().message,
      ) ?? []
    expect(Number(before)).toBeGreaterThan(Number(after))
    const backedUp = await post('/api/nautilus/database/backup-postgresql')
    expect(backedUp.json().message).toMatch(/^PostgreSQL backed up: [\d.]+ KB, as backup 1$/)
    for (const id of ['optimizePostgresql', 'backupPostgresql']) {
      const lines = await store.audit.page(
        { action: `nautilusMaintenance.${id}` },
        Number.MAX_SAFE_INTEGER,
        10,
      )
      expect(lines.length).toBeGreaterThanOrEqual(1)
    }
  })

  test('[MAINT-21] [MAINT-22] the backups of the configured one are listed and restored by its id', async () => {
    const { url, binFolder } = await freshDatabase(onTestFinished)
    const { app, post } = await newServer({ postgresUrl: url, postgresTools: { path: '', binFolder } })
    await post('/api/database/backup', { db_type: 'postgresql' })
    const [status] = (await app.inject('/api/database/status')).json().stores
    expect(status).toMatchObject({
      kind: 'postgresql',
      connection_id: 'configured-postgresql',
      name: 'PostgreSQL',
    })
    expect(status.size).toBeGreaterThan(0)
    expect(JSON.stringify(status)).not.toContain('battery')
    const listed = (await app.inject('/api/db/configured-postgresql/backups')).json().backups
    expect(listed).toMatchObject([{ id: 1, status: 'completed' }])
    const restored = await post('/api/db/configured-postgresql/restore/1')
    expect(restored.json()).toEqual({ success: true })
  })

  test('that does not answer is named, and the rest is done', async () => {
    const { post } = await newServer({ postgresUrl: 'postgresql://ada:secret@127.0.0.1:1/desk' })
    const reply = await post('/api/database/optimize', { db_type: 'all' })
    expect(reply.statusCode).toBe(502)
    expect(reply.json().detail).toContain('PostgreSQL cannot be reached: connection refused; ')
    expect(reply.json().detail).toContain('Binnacle market data: nothing to optimise')
    expect(reply.body).not.toContain('secret')
  })
})

describePostgres('PostgreSQL among connections', () => {
  const gone = 'postgresql://ada:secret@127.0.0.1:1/desk'

  test('[MAINT-15] work on the kind takes the writable one that answers, and names it', async () => {
    const { url, binFolder } = await freshDatabase(onTestFinished)
    const { post, connect } = await newServer({ postgresTools: { path: '', binFolder } })
    await connect('Old', gone, { writable: true })
    await connect('Reports', url)
    const refused = await post('/api/database/optimize', { db_type: 'postgresql' })
    expect(refused.json().detail).toBe('Old: PostgreSQL cannot be reached: connection refused.')
    await connect('Desk', url, { writable: true })
    const optimised = await post('/api/database/optimize', { db_type: 'postgresql' })
    expect(optimised.json().message).toMatch(/^Desk: 0 tables optimised, /)
    const backedUp = await post('/api/database/backup', { db_type: 'postgresql' })
    expect(backedUp.json().message).toMatch(/^Desk backed up: /)
  })

  test('[MAINT-15] [MAINT-18] work on all takes each of them, and says of each what became of it', async () => {
    const { url } = await freshDatabase(onTestFinished)
    const { post, connect } = await newServer()
    await connect('Reports', url)
    await connect('Desk', url, { writable: true })
    await connect('Books', url, { writable: true })
    const reply = await post('/api/database/optimize', { db_type: 'all' })
    expect(reply.json().message).toMatch(
      /^Desk: 0 tables .*; Books: 0 tables .*; Binnacle market data: .*; Skipped \(read-only\): Reports/,
    )
    await connect('Old', gone, { writable: true })
    const failed = await post('/api/database/optimize', { db_type: 'all' })
    expect(failed.json().detail).toContain('Old: PostgreSQL cannot be reached: connection refused; ')
    expect(failed.json().detail).toContain('Desk: 0 tables optimised')
  })
})

test.each([
  [5_000_000, 3_000_000, 'Redis: 1.91 MB of memory released, 4.77 MB before and 2.86 MB after'],
  [5_000_000, 5_000_000, 'Redis: no memory to release, it uses 4.77 MB'],
  [5_000_000, 5_242_880, 'Redis: no memory to release, it uses 5 MB'],
])(
  '[MAINT-16] memory of %i bytes before and %i after is reported as it is',
  (bytesBefore, bytesAfter, sentence) => {
    expect(describePurge('Redis', { bytesBefore, bytesAfter })).toBe(sentence)
  },
)

describeRedis('Redis', () => {
  test('[MAINT-16] is optimised with what became of its memory', async () => {
    const { url } = await freshRedis(onTestFinished)
    const { post } = await newServer({ redisUrl: url })
    const reply = await post('/api/database/optimize', { db_type: 'redis' })
    expect(reply.json().message).toMatch(
      /^Redis: ([\d.]+ [KM]?B of memory released, .* after|no memory to release, it uses [\d.]+ MB)$/,
    )
  })

  test('[MAINT-12] deletes only keys with our prefix by default', async () => {
    const { url } = await freshRedis(onTestFinished)
    const redis = new Redis(url)
    onTestFinished(() => redis.disconnect())
    await redis.mset('binnacle:a', '1', 'binnacle:b', '2', 'theirs', '3')
    const { post, app, store } = await newServer({ redisUrl: url })
    const preview = await post('/api/database/clean', { cache_type: 'redis', dry_run: true })
    expect(preview.json()).toEqual({
      message: 'Redis: deletes 2 keys with the prefix "binnacle:" in db0; 1 other key stays',
    })
    const flushed = await post('/api/nautilus/database/flush-redis')
    expect(flushed.json()).toEqual({
      message: 'Redis: deleted 2 keys with the prefix "binnacle:" in db0; 1 other key stays',
    })
    expect(await redis.keys('*')).toEqual(['theirs'])
    expect((await app.inject('/api/nautilus/database/redis-stats')).json()).toMatchObject({ keys: 1 })
    const all = await post('/api/database/clean', { cache_type: 'redis', all_keys: true })
    expect(all.json()).toEqual({ message: 'Redis: deleted all 1 key in db0' })
    expect(await redis.dbsize()).toBe(0)
    const lines = await store.audit.page(
      { action: 'nautilusMaintenance.flushRedis' },
      Number.MAX_SAFE_INTEGER,
      10,
    )
    expect(lines).toHaveLength(1)
  })
})

async function newServer(options: Partial<MaintenanceServicesOptions> = {}) {
  const store = await openAdminStore(':memory:')
  const database = newDatabaseService(store)
  const adminServices = openAdminServices({ store, urlOf: () => 'http://localhost' })
  onTestFinished(async () => {
    await adminServices.close(1000)
    await store.close()
  })
  const folder = temporaryFolder()
  const maintenanceServices = await openMaintenanceServices({ folder, store, database, ...options })
  const desk = await openInMemoryDesk()
  const { trading: app } = createApps({
    logger: silentLog,
    ...adminServices,
    database,
    maintenanceServices,
    desk,
    traderId: 'T',
  })
  const post = (url: string, body?: object) => app.inject({ method: 'POST', url, ...(body && { body }) })
  const connect = (name: string, connection_string: string, more: Partial<NewConnection> = {}) => {
    const given = { name, type: 'postgresql', database_name: '', connection_string, ...more } as const
    return database.databases.add(serverAuditContext('test'), given)
  }
  return { app, post, store, connect, dataFolder: database.access.dataFolder }
}

import { APPS, type App, type Call, callsOf } from '@binnacle/contract'
import { afterAllTests } from '@binnacle/stores/testkit'
import { beforeAll, describe, expect, test } from 'vitest'
import { openAdminServices } from '#admin/admin-services.ts'
import { mountedOn } from '#http/mount.ts'
import { type Apps, createApps } from '#server.ts'
import type { AdminStore } from '#storage/admin-store.ts'
import { newAdminStore } from '#testkit/admin-store.ts'
import { newAlerts } from '#testkit/alerts.ts'
import { newBacktests } from '#testkit/backtests.ts'
import { newDatabaseAppOptions } from '#testkit/database-service.ts'
import { openInMemoryDesk } from '#testkit/in-memory-desk.ts'
import { silentLog } from '#testkit/silent-log.ts'
import { listUnbuilt } from '#testkit/unbuilt.ts'
import { ADAPTER_SAMPLES } from '#testkit/walk/adapter-samples.ts'
import { ADMIN_SAMPLES, type Sample } from '#testkit/walk/admin-samples.ts'
import { ALERT_SAMPLES } from '#testkit/walk/alert-samples.ts'
import { BACKTEST_SAMPLES } from '#testkit/walk/backtest-samples.ts'
import { requestOf } from '#testkit/walk/contract-request.ts'
import { DATABASE_SAMPLES } from '#testkit/walk/database-samples.ts'
import { TRADING_SAMPLES } from '#testkit/walk/trading-samples.ts'
import { openAdapters } from '#trading/adapters/adapters.ts'
import { startAuditProjection } from '#trading/runtime/audit-projection.ts'

/** Records per change: a change outside the admin store is recorded before and after (0009). */
const LINES: Record<App, readonly number[]> = { trading: [1, 2], admin: [1], database: [1, 2] }

/** One record of the job, and one of each adapter that it switched. */
const LINES_OF_SWITCHES = [2, 3, 4, 5, 6]
const SWITCHES = ['adapters.connectAll', 'adapters.disconnectAll']

/** Minimum number of changes per API, so that the walk cannot be empty. */
const CHANGES_AT_LEAST: Record<App, number> = { trading: 31, admin: 16, database: 4 }

/** These only read; they are POST because a statement or an order is their body. */
const READS_BY_POST = [
  'queries.explain',
  'queries.format',
  'orders.preview',
  'sweeps.lookAhead',
  'strategyModules.check',
  'alerts.testRule',
]

/** These need PostgreSQL or Redis; maintenance.routes.test.ts checks their records. */
const NEED_A_STORE = [
  'nautilusMaintenance.optimizePostgresql',
  'nautilusMaintenance.backupPostgresql',
  'nautilusMaintenance.flushRedis',
]
/** A browser says that it showed the alert; nobody decided anything. */
const BY_THE_BROWSER = ['alerts.shown']
const EXCEPT = [...READS_BY_POST, ...NEED_A_STORE, ...BY_THE_BROWSER]

const atEnd = afterAllTests()
let apps: Apps
let store: AdminStore
let sampleFor: Record<App, (id: string) => Sample | Promise<Sample> | undefined>
let settle: () => Promise<boolean>
let unbuilt: string[]
let nth = 0

beforeAll(async () => {
  const desk = await openInMemoryDesk()
  store = (await newAdminStore(atEnd)).store
  const projection = startAuditProjection({ desk, audit: store.audit })
  settle = () => projection.waitUntilCurrent()
  atEnd(async () => {
    await projection.close(0)
    await desk.close()
  })
  const office = openAdminServices({ store, urlOf: (name) => `http://localhost/${name}` })
  const { database, maintenanceServices } = await newDatabaseAppOptions(store, { atEnd })
  const backtests = await newBacktests(store, { atEnd })
  const alerts = await newAlerts(store, desk, atEnd)
  const adapters = openAdapters({ desk, links: desk.adapters, store: store.adapters, jobs: office.jobs })
  unbuilt = (await listUnbuilt()).filter((id) => !/^trading (alerts|adapters)\./.test(id))
  apps = createApps({
    logger: silentLog,
    ...office,
    database,
    maintenanceServices,
    backtests,
    alerts,
    adapters,
    desk,
    waitForAudit: settle,
    traderId: 'T',
  })
  sampleFor = {
    trading: (id) =>
      TRADING_SAMPLES[id]?.(desk, nth) ??
      BACKTEST_SAMPLES[id]?.(backtests) ??
      ALERT_SAMPLES[id]?.(alerts, nth) ??
      ADAPTER_SAMPLES[id]?.(adapters),
    admin: (id) => ADMIN_SAMPLES[id]?.(store, nth),
    database: (id) => DATABASE_SAMPLES[id]?.(database, nth, maintenanceServices),
  }
})

describe.each(APPS)('the %s API', (app) => {
  const calls = callsOf(app).filter(({ id }) => !id.startsWith('listener.'))
  const changes = calls.filter(({ id, endpoint }) => endpoint.method !== 'GET' && !EXCEPT.includes(id))

  test('the walk covers every call that changes something', () => {
    expect(changes.length).toBeGreaterThanOrEqual(CHANGES_AT_LEAST[app])
  })

  test.each(changes)('[CALL-31] $id writes an audit record when it succeeds', async (call) => {
    if (isUnbuilt(call)) return
    const sample = await sampleOf(call)
    const linesBefore = await linesOf(call.id)
    const reply = await apps[app].inject(requestOf(call.endpoint, sample))
    expect([call.endpoint.status, 202], reply.body).toContain(reply.statusCode)
    const lines = await linesOf(call.id)
    expect(SWITCHES.includes(call.id) ? LINES_OF_SWITCHES : LINES[app]).toContain(
      lines.length - linesBefore.length,
    )
    expect(lines[0]).toMatchObject({
      action: call.id,
      actor: 'local',
      role: 'admin',
      address: '127.0.0.1',
      request_id: expect.stringMatching(/^[\da-f]{32}$/),
      entity: expect.stringMatching(/^[a-z-]+$/),
      target: expect.stringMatching(/./),
    })
  })

  const reads = app === 'admin' ? calls.filter(({ endpoint }) => endpoint.method === 'GET') : []
  test.each(reads)('$id changes nothing and writes no audit record', async (call) => {
    if (isUnbuilt(call)) return
    const sample = await sampleOf(call)
    const lastBefore = await lastOfPerson()
    const reply = await apps[app].inject(requestOf(call.endpoint, sample))
    expect(reply.statusCode, reply.body).toBe(call.endpoint.status)
    expect(await lastOfPerson()).toBe(lastBefore)
  })
})

test('the chain of all records verifies', async () => {
  while (!(await settle()));
  expect((await store.audit.verify()).fault).toBeUndefined()
})

/** Leaves out only calls that are not built yet. */
function isUnbuilt({ app, id, endpoint }: Call): boolean {
  if (unbuilt.includes(`${app} ${id}`)) return true
  expect(mountedOn(apps[app]).get(endpoint)).toBe('built')
  return false
}

async function sampleOf({ app, id }: Call): Promise<Sample> {
  nth += 1
  return (await sampleFor[app](id)) ?? expect.fail(`testkit/walk/${app}-samples.ts has no request for ${id}`)
}

async function linesOf(action: string) {
  while (!(await settle()));
  return store.audit.page({ action }, Number.MAX_SAFE_INTEGER, 100)
}

/** Jobs and backtests that earlier calls started still end, and the server records that. */
async function lastOfPerson(): Promise<number> {
  while (!(await settle()));
  const [last] = await store.audit.page({ actor: 'local' }, Number.MAX_SAFE_INTEGER, 1)
  return last?.seq ?? 0
}

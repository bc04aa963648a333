import { allCalls, bracedPath, callsOf } from '@binnacle/contract'
import { expect, onTestFinished, test } from 'vitest'
import { openAdminServices } from '#admin/admin-services.ts'
import { mountedOn } from '#http/mount.ts'
import { openAdminStore } from '#storage/admin-store.ts'
import { createSamples } from '#storage/samples/samples.ts'
import { openSamplesStore } from '#storage/samples/samples-store.ts'
import { newBacktests } from '#testkit/backtests.ts'
import { newDatabaseAppOptions } from '#testkit/database-service.ts'
import { openInMemoryDesk } from '#testkit/in-memory-desk.ts'
import { silentLog } from '#testkit/silent-log.ts'
import { listUnbuilt } from '#testkit/unbuilt.ts'
import { createApps } from './server.ts'

const LISTENERS = ['trading', 'admin', 'database'] as const

test.each(LISTENERS)(
  'the %s listener serves every call of its table, and the trading one all three',
  async (name) => {
    const apps = await newApps()
    const missing = (listener: 'trading' | typeof name) =>
      callsOf(name).filter(({ endpoint }) => !mountedOn(apps[listener]).has(endpoint))
    expect(missing(name)).toEqual([])
    expect(missing('trading')).toEqual([])
  },
)

test('the admin and database listeners serve their own calls only', async () => {
  const apps = await newApps()
  for (const name of ['admin', 'database'] as const) {
    const own = callsOf(name).map(({ endpoint }) => endpoint)
    expect([...mountedOn(apps[name]).keys()].filter((endpoint) => !own.includes(endpoint))).toEqual([])
  }
})

test('the list of what is not built yet is exactly what answers 501', async () => {
  const apps = await newApps()
  const unanswered: string[] = []
  for (const { app, id, endpoint } of allCalls()) {
    const { statusCode } = await apps[app].inject({ method: endpoint.method, url: endpoint.path })
    if (statusCode === 501) unanswered.push(`${app} ${id}`)
  }
  expect(await listUnbuilt()).toEqual(unanswered)
  expect(unanswered).not.toContain('admin settings.update')
})

test('[CALL-1] [CALL-34] each of the three answers its health, the first at /health too', async () => {
  const apps = await newApps()
  for (const name of LISTENERS) {
    expect((await apps[name].inject('/api/health')).json()).toEqual({ status: 'ok', version: 'v1.0.0' })
  }
  expect((await apps.trading.inject('/health')).json()).toEqual({ status: 'ok', version: 'v1.0.0' })
  expect((await apps.admin.inject('/api/admin/health')).json()).toEqual({ status: 'ok', version: 'v1.0.0' })
})

test('[CALL-3] the trading port serves the three APIs, and the site knows it', async () => {
  const { trading } = await newApps()
  const config = await trading.inject('/config.json')
  expect(config.json()).toEqual({ trading_api_url: '/', admin_api_url: '/', database_api_url: '/' })
  expect(config.headers['cache-control']).toBe('no-cache')
  expect((await trading.inject('/api/admin/settings')).statusCode).toBe(200)
  expect((await trading.inject('/api/db/connections')).statusCode).toBe(200)
})

test('[CAP-10] only what is served is offered', async () => {
  const reply = await (await newApps()).trading.inject('/api/capabilities')
  expect(reply.json()).toEqual({
    version: 'v1.0.0',
    capabilities: [
      'problems',
      'components',
      'features',
      'services',
      'settings',
      'probes',
      'jobs',
      'strategy-types',
      'trading-state',
      'emergency',
      'order-preview',
      'order-control',
      'order-history',
      'order-detail',
      'strategy-loss-limit',
      'strategy-log',
      'position-exits',
      'stream',
      'maintenance',
      'samples',
      'backtesting',
      'sweeps',
    ],
  })
})

test('[CALL-71] each listener serves the OpenAPI document of its own calls', async () => {
  const apps = await newApps()
  for (const name of LISTENERS) {
    const document = (await apps[name].inject('/api/openapi.json')).json()
    expect(document).toMatchObject({ openapi: '3.1.0' })
    const served = [...mountedOn(apps[name]).keys()].map(({ path }) => bracedPath(path))
    expect(new Set(Object.keys(document.paths))).toEqual(new Set(served))
  }
})

test.each([
  ['DELETE', '/api/orders', 'GET, HEAD, POST'],
  ['PUT', '/api/orders/O-1', 'GET, HEAD, PATCH, DELETE'],
  ['GET', '/api/positions/P-1/close', 'POST'],
  ['OPTIONS', '/api/admin/settings/a%20key', 'GET, HEAD, PUT, DELETE'],
  ['TRACE', '/health', 'GET, HEAD'],
] as const)('[CALL-69] %s %s is answered 405 and names the methods there are', async (method, url, allow) => {
  const reply = await (await newApps()).trading.inject({ method: method as 'GET', url })
  expect(reply.statusCode).toBe(405)
  expect(new Set(String(reply.headers.allow).split(', '))).toEqual(new Set(allow.split(', ')))
  expect(reply.json()).toMatchObject({ code: 'route.method', title: 'This method is not allowed here' })
  expect(reply.json().detail).toContain(`${method} is not allowed at ${url}. Allowed: `)
})

test('an unknown call is a problem, and no reply of the API is cached by the browser', async () => {
  const reply = await (await newApps()).trading.inject('/api/nothing')
  expect(reply.statusCode).toBe(404)
  expect(reply.json()).toMatchObject({
    code: 'route.unknown',
    detail: 'There is no call GET /api/nothing. GET /api/openapi.json lists the calls.',
  })
  expect(reply.headers['cache-control']).toBe('no-store')
})

async function newApps() {
  const store = await openAdminStore(':memory:')
  onTestFinished(() => store.close())
  return createApps({
    logger: silentLog,
    ...openAdminServices({ store, urlOf: () => 'http://localhost' }),
    ...(await newDatabaseAppOptions(store)),
    backtests: await newBacktests(store, { bars: [] }),
    desk: await openInMemoryDesk(),
    samples: createSamples(openSamplesStore(':memory:')),
    traderId: 'TRADER-001',
  })
}

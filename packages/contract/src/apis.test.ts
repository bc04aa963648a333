import { describe, expect, test } from 'vitest'
import * as z from 'zod'
import { allCalls, callsOf, idOf } from './apis.ts'
import type { App, Origin } from './endpoint.ts'

const TRADING_SPECIFIED = [
  'GET /health',
  'POST /api/nautilus/initialize',
  'GET /api/nautilus/system-info',
  'GET /api/engine/info',
  'GET /api/instruments',
  'POST /api/nautilus/strategies',
  'GET /api/nautilus/strategies',
  'GET /api/nautilus/strategies/:id',
  'POST /api/nautilus/backtest',
  'GET /api/nautilus/backtest/:id',
  'GET /api/orders',
  'GET /api/positions',
  'GET /api/risk/metrics',
  'POST /api/database/backup',
  'POST /api/database/optimize',
  'POST /api/database/clean',
  'POST /api/component/stop',
  'POST /api/component/restart',
  'POST /api/component/configure',
  'GET /api/strategies',
  'POST /api/strategies',
  'POST /api/strategies/:id/start',
  'POST /api/strategies/:id/stop',
  'DELETE /api/strategies/:id',
  'POST /api/orders',
  'DELETE /api/orders/:id',
  'POST /api/positions/:id/close',
  'GET /api/risk/limits',
  'POST /api/risk/limits',
]

const TRADING_DOCUMENTED = [
  'GET /api/health',
  'GET /api/nautilus/engine/info',
  'POST /api/nautilus/database/optimize-postgresql',
  'POST /api/nautilus/database/backup-postgresql',
  'POST /api/nautilus/database/export-parquet',
  'POST /api/nautilus/database/clean-parquet',
  'POST /api/nautilus/database/flush-redis',
  'GET /api/nautilus/database/redis-stats',
  'POST /api/nautilus/components/:component_id/stop',
  'POST /api/nautilus/components/:component_id/restart',
  'POST /api/nautilus/components/:component_id/configure',
  'GET /api/nautilus/instruments',
  'GET /api/nautilus/cache/stats',
]

const ADMIN_SPECIFIED = [
  'GET /api/admin/settings',
  'GET /api/admin/users',
  'GET /api/admin/api-configs',
  'PUT /api/admin/settings/:setting_key',
  'GET /api/admin/endpoints',
  'GET /api/admin/routes/by-endpoint/:id',
  'PUT /api/admin/routes/:id',
  'POST /api/admin/routes/:id/test',
  'POST /api/admin/routes',
  'DELETE /api/admin/routes/:id',
]

const ADMIN_DOCUMENTED = [
  'GET /api/health',
  'GET /api/admin/health',
  'POST /api/admin/settings',
  'GET /api/admin/settings/:setting_key',
  'DELETE /api/admin/settings/:setting_key',
  'POST /api/admin/users',
  'POST /api/admin/api-configs',
  'GET /api/admin/tasks',
  'POST /api/admin/tasks',
  'GET /api/admin/audit-logs',
]

const TRADING_OURS = [
  'GET /api/account',
  'GET /api/fills',
  'GET /api/orders/:id',
  'GET /api/orders/by-key/:key',
  'GET /api/order-history/check',
  'GET /api/order-history/verify',
  'GET /api/positions/closed',
  'GET /api/system/memory',
  'GET /api/capabilities',
  'GET /api/ready',
  'GET /api/openapi.json',
  'PATCH /api/orders/:id',
  'GET /api/trading-state',
  'POST /api/trading-state',
  'GET /api/nautilus/backtests',
  'POST /api/nautilus/backtest/:id/cancel',
  'POST /api/nautilus/backtest/:id/rerun',
]

const ADMIN_OURS = [
  'GET /api/ready',
  'GET /api/openapi.json',
  'GET /api/admin/routes/:id',
  'PUT /api/admin/users/:id',
  'POST /api/admin/users/:id/deactivate',
  'PUT /api/admin/api-configs/:id',
  'DELETE /api/admin/api-configs/:id',
  'POST /api/admin/endpoints',
  'PUT /api/admin/endpoints/:id',
  'DELETE /api/admin/endpoints/:id',
  'PUT /api/admin/tasks/:id',
  'DELETE /api/admin/tasks/:id',
  'POST /api/admin/tasks/:id/run',
  'GET /api/admin/tasks/:id/history',
  'GET /api/admin/audit-logs/export',
  'GET /api/admin/audit-logs/verify',
]

const DATABASE_SPECIFIED = [
  'GET /api/db/connections',
  'POST /api/db/connections',
  'GET /api/db/:conn/tables',
  'GET /api/db/:conn/tables/:table/schema',
  'GET /api/db/:conn/tables/:table/data',
  'POST /api/db/:conn/query',
  'GET /api/db/:conn/query-history',
  'GET /api/db/:conn/backups',
  'POST /api/db/:conn/backup',
  'POST /api/db/:conn/restore/:backupId',
]

describe('the table holds the calls of the specification and says why each exists', () => {
  test.each<[App, Origin, string[]]>([
    ['trading', 'specified', TRADING_SPECIFIED],
    ['trading', 'documented', TRADING_DOCUMENTED],
    ['trading', 'ours', TRADING_OURS],
    ['trading', { capability: 'components' }, ['GET /api/components', 'POST /api/component/start']],
    [
      'trading',
      { capability: 'strategy-types' },
      [
        'GET /api/strategies/deleted',
        'GET /api/strategy-types',
        'PUT /api/strategies/:id',
        'PUT /api/strategies/:id/name',
      ],
    ],
    ['admin', 'specified', ADMIN_SPECIFIED],
    ['admin', 'documented', ADMIN_DOCUMENTED],
    ['admin', 'ours', ADMIN_OURS],
    ['admin', { capability: 'probes' }, ['GET /api/admin/endpoints/health']],
    [
      'admin',
      { capability: 'jobs' },
      ['GET /api/admin/jobs', 'GET /api/admin/jobs/:id', 'POST /api/admin/jobs/:id/cancel'],
    ],
    ['database', 'specified', DATABASE_SPECIFIED],
    ['database', 'documented', ['GET /api/health']],
  ])('%s, %j', (app, origin, signatures) => {
    const declared = callsOf(app).filter(({ endpoint }) => isOrigin(endpoint.origin, origin))
    expect(declared.map(signatureOf).sort()).toEqual([...signatures].sort())
  })
})

describe('every call', () => {
  test('[CALL-1] [CALL-34] each of the three listeners answers GET /api/health, the trading one GET /health too', () => {
    const answering = (signature: string) =>
      allCalls()
        .filter((call) => signatureOf(call) === signature)
        .map(({ app }) => app)
    expect(answering('GET /api/health')).toEqual(['trading', 'admin', 'database'])
    expect(answering('GET /health')).toEqual(['trading'])
  })

  test('is declared once: no two of all apps share method and path, those of every listener apart', () => {
    const signatures = allCalls()
      .filter(({ endpoint }) => endpoint.app !== 'every')
      .map(signatureOf)
    expect(signatures).toEqual([...new Set(signatures)])
  })

  test('[CALL-1] is declared for the API that serves it', () => {
    const misplaced = allCalls().filter(({ app, endpoint }) => ![app, 'every'].includes(endpoint.app))
    expect(misplaced.map(({ id }) => id)).toEqual([])
    const shared = allCalls().filter(({ endpoint }) => endpoint.app === 'every')
    expect(shared.map(({ id }) => id)).toEqual(
      [1, 2, 3].flatMap(() => ['listener.health', 'listener.ready', 'listener.openapi']),
    )
  })

  test('has an id of resource and act that no other call has', () => {
    const ids = allCalls()
      .map(({ id }) => id)
      .filter((id) => !id.startsWith('listener.'))
    expect(ids).toEqual([...new Set(ids)])
    expect(ids).toContain('orders.place')
    for (const id of ids) expect(id).toMatch(/^[a-z]\w*\.[a-z]\w*$/)
  })

  test('is found by its declaration', () => {
    for (const { id, endpoint } of allCalls()) expect(idOf(endpoint)).toBe(id)
    const [{ endpoint } = expect.fail()] = allCalls()
    expect(idOf({ ...endpoint })).toBeUndefined()
  })

  test('that changes something needs a role above viewer', () => {
    const changes = allCalls().filter(({ endpoint }) => endpoint.method !== 'GET')
    const open = changes.filter(({ endpoint }) => ['anyone', 'viewer'].includes(endpoint.role))
    expect(changes.length).toBeGreaterThan(30)
    // They compute and change nothing.
    expect(open.map(({ id }) => id)).toEqual(['orders.preview', 'alerts.testRule'])
  })

  test('that needs no account is a health check or describes the server', () => {
    const open = allCalls().filter(({ endpoint }) => endpoint.role === 'anyone')
    expect([...new Set(open.map(({ id }) => id))]).toEqual([
      'listener.health',
      'listener.ready',
      'listener.openapi',
      'service.health',
      'service.capabilities',
      'adminHealth.check',
    ])
  })

  test.each(allCalls())(
    '$id names the parameters of its path, and takes a body only if it changes something',
    ({ endpoint }) => {
      const inPath = [...endpoint.path.matchAll(/:(\w+)/g)].map(([, name]) => name)
      const declared = endpoint.params
        ? Object.keys(z.toJSONSchema(endpoint.params, { io: 'input' }).properties ?? {})
        : []
      expect(declared).toEqual(inPath)
      if (endpoint.method === 'GET' || endpoint.method === 'DELETE') expect(endpoint.body).toBeUndefined()
    },
  )
})

test('[API-25] cancel, close, stop and what undoes a toggle can never be switched off', () => {
  const alwaysOn = allCalls().filter(({ endpoint }) => endpoint.alwaysOn)
  expect([...new Set(alwaysOn.map(({ id }) => id))]).toEqual([
    'listener.health',
    'listener.ready',
    'service.health',
    'service.capabilities',
    'engines.list',
    'strategies.stop',
    'orders.cancel',
    'orders.cancelAll',
    'positions.close',
    'positions.closeAll',
    'tradingState.get',
    'tradingState.change',
    'emergency.get',
    'emergency.start',
    'emergency.end',
    'backtests.cancel',
    'sweeps.cancel',
    'adminHealth.check',
    'systemSettings.read',
    'systemSettings.save',
    'systemSettings.reset',
    'systemSettings.revert',
    'services.list',
    'routes.list',
    'routes.update',
    'jobs.cancel',
    'queries.cancel',
  ])
})

function signatureOf({ endpoint }: ReturnType<typeof allCalls>[number]): string {
  return `${endpoint.method} ${endpoint.path}`
}

function isOrigin(origin: Origin, wanted: Origin): boolean {
  return JSON.stringify(origin) === JSON.stringify(wanted)
}

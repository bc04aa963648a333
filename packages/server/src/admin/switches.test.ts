import { routes as calls, callsOf } from '@binnacle/contract'
import { describe, expect, test } from 'vitest'
import { parseConfig } from '#config/config.ts'
import { type RunningServer, startServer } from '#server.ts'
import { newAdminApp } from '#testkit/admin-app.ts'
import { runningServer, testEnvironment } from '#testkit/running-server.ts'

const SERVICE_IDS = { trading: 1, admin: 2, database: 3 } as const
const ALWAYS_ON = Object.keys(SERVICE_IDS).flatMap((app) =>
  // The keys are the three apps.
  callsOf(app as keyof typeof SERVICE_IDS).filter(({ endpoint }) => endpoint.alwaysOn),
)

describe('a call that is switched off', () => {
  test('[API-24] answers 503 at once on every mount, and works again when switched on', async () => {
    const server = await runningServer()
    const orders = () => statusAndCode(server, 'trading', '/api/orders')
    const settings = () =>
      Promise.all([
        statusAndCode(server, 'admin', '/api/admin/settings'),
        statusAndCode(server, 'trading', '/api/admin/settings'),
      ])
    const [ordersBefore] = await orders()
    expect(ordersBefore).not.toBe(503)

    expect(await toggle(server, 'trading.orders.list', 0)).toBe(200)
    expect(await orders()).toEqual([503, 'route.disabled'])
    expect(await toggle(server, 'admin.settings.list', 0)).toBe(200)
    expect(await settings()).toEqual([
      [503, 'route.disabled'],
      [503, 'route.disabled'],
    ])
    expect((await statusAndCode(server, 'trading', '/api/positions'))[0]).toBe(ordersBefore)

    expect(await toggle(server, 'trading.orders.list', 1)).toBe(200)
    expect(await toggle(server, 'admin.settings.list', 1)).toBe(200)
    expect((await orders())[0]).toBe(ordersBefore)
    expect((await settings()).map(([status]) => status)).toEqual([200, 200])
  })

  test('[API-24] stays off after a restart', async () => {
    const env = testEnvironment()
    const first = await startServer(parseConfig(env))
    await toggle(first, 'trading.orders.list', 0)
    await first.close(0)
    const second = await runningServer(env)
    expect(await statusAndCode(second, 'trading', '/api/orders')).toEqual([503, 'route.disabled'])
    expect(await activeOf(second, 'trading.orders.list')).toBe(0)
  })

  test('is refused before its body is read, for every method', async () => {
    const { app } = await newAdminApp()
    for (const id of ['admin.settings.add', 'admin.settings.list']) {
      await app.inject({ method: 'PUT', url: `/api/admin/routes/${id}`, payload: { is_active: 0 } })
    }
    const url = '/api/admin/settings'
    const huge = { method: 'POST', url, payload: 'x'.repeat(2_000_000) } as const
    expect((await app.inject(huge)).json()).toMatchObject({
      code: 'route.disabled',
      detail:
        'POST /api/admin/settings is switched off. An administrator can switch it on again under API Configuration.',
    })
    expect((await app.inject({ method: 'HEAD', url })).statusCode).toBe(503)
    expect((await app.inject({ method: 'GET', url: `${url}/cache_ttl` })).statusCode).toBe(200)
  })

  test('is in the audit log, off and on', async () => {
    const { app } = await newAdminApp()
    for (const is_active of [0, 0, 1]) {
      await app.inject({
        method: 'PUT',
        url: '/api/admin/routes/trading.orders.list',
        payload: { is_active },
      })
    }
    const { logs } = (await app.inject('/api/admin/audit-logs')).json()
    const states = logs.map((line: Record<string, object>) => [
      line.action,
      line.target,
      line.before,
      line.after,
    ])
    const state = (is_active: number) => ({ method: 'GET', path: '/api/orders', is_active })
    expect(states).toEqual([
      ['routes.update', 'trading.orders.list', state(0), state(1)],
      ['routes.update', 'trading.orders.list', state(0), state(0)],
      ['routes.update', 'trading.orders.list', state(1), state(0)],
    ])
  })

  test('has the state of the last of many concurrent switches', async () => {
    const { app, store } = await newAdminApp()
    const set = (is_active: 0 | 1) =>
      app.inject({ method: 'PUT', url: '/api/admin/routes/trading.orders.list', payload: { is_active } })
    await Promise.all([set(0), set(1), set(0), set(1), set(0)])
    const [last] = (await app.inject('/api/admin/audit-logs?limit=1')).json().logs
    expect(store.switches.isOff('orders.list')).toBe(last.after.is_active === 0)
  })
})

test('[API-25] cancel, close, stop, health and the switch itself cannot be switched off, with the reason', async () => {
  const { app, store } = await newAdminApp()
  expect(ALWAYS_ON.map(({ id }) => id)).toEqual(
    expect.arrayContaining([
      'orders.cancel',
      'positions.close',
      'strategies.stop',
      'routes.update',
      'routes.list',
    ]),
  )
  for (const call of ALWAYS_ON) {
    const url = `/api/admin/routes/${call.app}.${call.id}`
    const off = await app.inject({ method: 'PUT', url, payload: { is_active: 0 } })
    expect(off.json(), call.id).toMatchObject({ status: 409, code: 'route.always-on' })
    expect(off.json().detail).toMatch(
      /cannot be switched off: calls that stop trading, report health or change switches must always work/,
    )
    expect(store.switches.isOff(call.id)).toBe(false)
    const on = await app.inject({ method: 'PUT', url, payload: { is_active: 1 } })
    expect(on.statusCode).toBe(200)
  }
})

async function toggle(server: RunningServer, routeId: string, is_active: 0 | 1): Promise<number> {
  const reply = await fetch(`http://localhost:${server.ports.admin}/api/admin/routes/${routeId}`, {
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ is_active }),
  })
  return reply.status
}

async function statusAndCode(server: RunningServer, listener: 'trading' | 'admin', path: string) {
  const reply = await fetch(`http://localhost:${server.ports[listener]}${path}`)
  const body: unknown = await reply.json()
  return [reply.status, Object(body).code]
}

async function activeOf(server: RunningServer, routeId: string): Promise<unknown> {
  const reply = await fetch(
    `http://localhost:${server.ports.admin}/api/admin/routes/by-endpoint/${SERVICE_IDS.trading}`,
  )
  const { routes } = calls.list.reply.parse(await reply.json())
  return routes.find(({ id }) => id === routeId)?.is_active
}

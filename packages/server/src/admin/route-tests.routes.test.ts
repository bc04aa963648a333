import { routes as calls } from '@binnacle/contract'
import type { FastifyInstance } from 'fastify'
import { describe, expect, test } from 'vitest'
import { newAdminApp } from '#testkit/admin-app.ts'
import { runningServer } from '#testkit/running-server.ts'
import { openTarget, type Target } from '#testkit/target.ts'

describe('a test of a route', () => {
  test('[API-14] sends path, query, headers and body of the parameters and shows the response', async () => {
    const target = await openTarget((response) => {
      response.writeHead(200, { 'content-type': 'application/json' }).end('{"a":1}')
    })
    const app = await appWith(target, {
      path: '/v1/books/{book}/side/:side',
      parameters: {
        path: { book: 'a/b c', side: 'BUY' },
        query: { limit: 5, tag: ['x', 'y&z'] },
        headers: { 'X-Desk': 'one', Authorization: 'Bearer hunter2' },
      },
    })
    const { response_time, ...result } = await testRoute(app)
    expect(result).toEqual({
      success: true,
      status: 200,
      size: 7,
      content_type: 'application/json',
      body: '{"a":1}',
      is_cut: false,
    })
    expect(response_time).toBeGreaterThanOrEqual(0)
    expect(target.seen).toMatchObject([
      {
        method: 'GET',
        url: '/base/v1/books/a%2Fb%20c/side/BUY?limit=5&tag=x&tag=y%26z',
        headers: { 'x-desk': 'one', authorization: 'Bearer hunter2' },
      },
    ])
    const { logs } = (await app.inject('/api/admin/audit-logs?action=routes.test')).json()
    expect(logs).toMatchObject([
      {
        actor: 'local',
        entity: 'route-test',
        target: '1',
        after: { method: 'GET', path: '/v1/books/{book}/side/:side', sent: true, status: 200 },
      },
    ])
    expect(JSON.stringify(logs)).not.toContain('hunter2')
  })

  test('shows the first 8 KiB of a long answer and its size', async () => {
    const target = await openTarget((response) => response.end('é'.repeat(10_000)))
    const result = await testRoute(await appWith(target, {}))
    expect(result).toMatchObject({ success: true, size: 20_000, body: 'é'.repeat(4096), is_cut: true })
  })

  test.each([
    [404, 'HTTP 404'],
    [503, 'HTTP 503'],
    [302, 'HTTP 302: redirects are not followed'],
  ])('[API-16] that is answered with %s fails with that error', async (status, error) => {
    const elsewhere = await openTarget()
    const target = await openTarget((response) => {
      response.writeHead(status, { location: elsewhere.url }).end('no')
    })
    const result = await testRoute(await appWith(target, {}))
    expect(result).toMatchObject({ success: false, error, status, body: 'no', size: 2 })
    expect(elsewhere.connections()).toBe(0)
  })

  test('[API-16] that cannot be sent gives the reason', async () => {
    const { app } = await newAdminApp()
    await addService(app, 'http://[::ffff:169.254.169.254]')
    await addRoute(app, {})
    expect(await testRoute(app)).toMatchObject({
      success: false,
      error:
        '[::ffff:a9fe:a9fe] resolves to ::ffff:a9fe:a9fe, which is a link-local, metadata or special address. Such addresses are never called.',
    })
  })

  test.each([
    [{ path: '/a/{id}' }, `The path needs a value for 'id'. Set the parameters to {"path":{"id":"…"}}.`],
    [
      { path: '/a/{id}', parameters: { path: { id: '..' } } },
      "The value of 'id' is only dots, which would change the path.",
    ],
    [
      { parameters: { limit: 5 } },
      "Unknown parameter 'limit'. Allowed are path, query and headers, each an object, and body.",
    ],
    [
      { parameters: { headers: { a: null } } },
      'Invalid parameters: headers.a must be a text, number or boolean. Allowed are path, query and headers, each an object, and body.',
    ],
    [{ parameters: { headers: { Host: 'x' } } }, 'The header Host is set by the connection. Remove it.'],
  ])('of %j sends nothing and gives the remedy', async (route, error) => {
    const target = await openTarget()
    expect(await testRoute(await appWith(target, route))).toMatchObject({ success: false, error })
    expect(target.connections()).toBe(0)
  })

  test('that points to itself ends after one step', async () => {
    const server = await runningServer()
    const base = `http://localhost:${server.ports.admin}`
    await post(`${base}/api/admin/endpoints`, { name: 'Mirror', url: base })
    const parameters = JSON.stringify({ body: { send: true, own_server: true } })
    const mirror = { method: 'POST', path: '/api/admin/routes/1/test', description: '', parameters }
    await post(`${base}/api/admin/routes`, { ...mirror, api_endpoint_id: 4 })
    const result = calls.test.reply.parse(
      await post(`${base}/api/admin/routes/1/test`, { send: true, own_server: true }),
    )
    expect(result).toMatchObject({ success: true, status: 200 })
    expect(JSON.parse(result.body ?? '')).toEqual({
      success: false,
      error: 'A test of this route is already running. Wait for it to end.',
    })
  })
})

test('[API-36] a call of this server is sent only with a second confirmation, under any of its names, and is recorded', async () => {
  const server = await runningServer()
  const base = `http://localhost:${server.ports.trading}`
  const parameters = JSON.stringify({ body: { state: 'HALTED' } })
  const route = { method: 'POST', path: '/api/trading-state', description: '', parameters }
  const names = ['localhost', '127.0.0.1', '[::1]', 'any.localhost']
  for (const [index, name] of names.entries()) {
    await post(`${base}/api/admin/endpoints`, { name, url: `http://${name}:${server.ports.trading}` })
    await post(`${base}/api/admin/routes`, { ...route, api_endpoint_id: 4 + index })
    const refused = await post(`${base}/api/admin/routes/${index + 1}/test`, { send: true })
    expect(calls.test.reply.parse(refused)).toEqual({
      success: false,
      error:
        'POST /api/trading-state is a call of this Binnacle server, which executes it. A test sends it only with a second confirmation: send {"send": true, "own_server": true}.',
      confirm: 'own_server',
    })
  }
  const state = async () => JSON.parse(await (await fetch(`${base}/api/trading-state`)).text()).state
  expect(await state()).toBe('ACTIVE')
  const sent = await post(`${base}/api/admin/routes/1/test`, { send: true, own_server: true })
  expect(sent).toMatchObject({ success: true, status: 200 })
  expect(await state()).toBe('HALTED')
  const page = await fetch(`${base}/api/admin/audit-logs?action=routes.test&limit=3`)
  const { logs } = JSON.parse(await page.text())
  expect(logs.map(({ after }: { after: object }) => after)).toMatchObject([
    { sent: true, status: 200 },
    { sent: 'about to be', own_server: true },
    { sent: false, own_server: true },
  ])
})

describe('[API-26] a method that may change something', () => {
  test.each(['POST', 'PUT', 'PATCH', 'DELETE'])('%s is not sent without confirmation', async (method) => {
    const target = await openTarget()
    const app = await appWith(target, { method })
    for (const body of [undefined, {}, { send: false }]) {
      expect(await testRoute(app, body)).toEqual({
        success: false,
        error: `${method} may change something, so a test sends it only with confirmation: send {"send": true}.`,
      })
    }
    expect(target.connections()).toBe(0)
  })

  test.each(['POST', 'PUT', 'PATCH', 'DELETE'])(
    '%s is sent with confirmation and recorded before and after',
    async (method) => {
      const target = await openTarget()
      const app = await appWith(target, { method, parameters: { body: { quantity: 1 } } })
      expect(await testRoute(app, { send: true })).toMatchObject({ success: true, status: 200 })
      expect(target.seen).toMatchObject([
        { method, body: '{"quantity":1}', headers: { 'content-type': 'application/json' } },
      ])
      const { logs } = (await app.inject('/api/admin/audit-logs?action=routes.test')).json()
      expect(logs.map(({ after }: { after: object }) => after)).toEqual([
        { method, path: '/prices', sent: true, status: 200 },
        { method, path: '/prices', sent: 'about to be' },
      ])
    },
  )
})

test('a built-in route is tested on its own listener, switched off or not', async () => {
  const server = await runningServer()
  const url = `http://localhost:${server.ports.trading}/api/admin/routes`
  expect(await post(`${url}/database.listener.health/test`)).toMatchObject({
    success: true,
    body: '{"status":"ok","version":"v1.0.0"}',
  })
  await fetch(`${url}/admin.users.list`, {
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    body: '{"is_active":0}',
  })
  expect(await post(`${url}/admin.users.list/test`)).toMatchObject({ success: false, error: 'HTTP 503' })
  expect(await post(`${url}/trading.orders.cancel/test`)).toMatchObject({ success: false })
})

interface TestedRoute {
  method?: string
  path?: string
  parameters?: object
}

/** The admin API with one service, at the target's '/base', and one route. */
async function appWith(target: Target, route: TestedRoute): Promise<FastifyInstance> {
  const { app } = await newAdminApp()
  await addService(app, `${target.url}/base`)
  await addRoute(app, route)
  return app
}

async function addService(app: FastifyInstance, url: string): Promise<void> {
  await app.inject({ method: 'POST', url: '/api/admin/endpoints', payload: { name: 'Target', url } })
}

async function addRoute(app: FastifyInstance, { parameters = {}, ...route }: TestedRoute): Promise<void> {
  const payload = { method: 'GET', path: '/prices', description: '', api_endpoint_id: 4, ...route }
  const reply = await app.inject({
    method: 'POST',
    url: '/api/admin/routes',
    payload: { ...payload, parameters: JSON.stringify(parameters) },
  })
  expect(reply.statusCode, reply.body).toBe(201)
}

async function testRoute(app: FastifyInstance, payload?: object) {
  const reply = await app.inject({
    method: 'POST',
    url: '/api/admin/routes/1/test',
    ...(payload && { payload }),
  })
  expect(reply.statusCode, reply.body).toBe(200)
  return reply.json()
}

async function post(url: string, body: object = {}): Promise<unknown> {
  const headers = { 'content-type': 'application/json' }
  const reply = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) })
  return reply.json()
}

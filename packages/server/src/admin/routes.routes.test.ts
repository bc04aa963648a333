import { readFileSync } from 'node:fs'
import { callsOf, type Route } from '@binnacle/contract'
import type { FastifyInstance } from 'fastify'
import { describe, expect, test } from 'vitest'
import { newAdminApp } from '#testkit/admin-app.ts'

const URL = '/api/admin/routes'
const PRICES = { method: 'GET', path: '/prices', description: 'All', parameters: '{"query":{"limit":5}}' }

describe('a route that was added', () => {
  test("[CALL-22] shows in the next list, with '{}' when it was sent without parameters", async () => {
    const { app } = await newAdminApp()
    const { parameters: _, ...silent } = PRICES
    const reply = await post(app, { ...silent, api_endpoint_id: 3 })
    expect([reply.statusCode, reply.json()]).toEqual([201, { success: true, message: 'Route added' }])
    expect((await routesOf(app, 3)).at(-1)).toEqual({
      id: 1,
      api_endpoint_id: 3,
      ...PRICES,
      parameters: '{}',
      is_active: 1,
      requires_auth: 0,
      is_builtin: 0,
    })
  })

  test('[ADM-10] has its Authorization sealed and masked, and an edit that sends the mask back keeps it', async () => {
    const { app, file, store } = await newAdminApp()
    const secret = '{"headers":{"Authorization":"Bearer hunter2","Accept":"*/*"}}'
    await post(app, { ...PRICES, parameters: secret, api_endpoint_id: 3 })
    const shown = '{"headers":{"Authorization":"[masked]","Accept":"*/*"}}'
    expect((await app.inject(`${URL}/1`)).json().parameters).toBe(shown)
    expect((await routesOf(app, 3)).at(-1)?.parameters).toBe(shown)
    const etag = (await app.inject(`${URL}/1`)).headers.etag
    const edit = (parameters: string) =>
      app.inject({ method: 'PUT', url: `${URL}/1`, payload: { ...PRICES, path: '/other', parameters } })
    await edit('{"headers":{"Authorization":"[masked]","Accept":"text/html"}}')
    expect((await store.routes.find(1))?.parameters).toBe(
      '{"headers":{"Authorization":"Bearer hunter2","Accept":"text/html"}}',
    )
    await edit('{"headers":{"Authorization":"Bearer hunter3","Accept":"text/html"}}')
    expect((await app.inject(`${URL}/1`)).headers.etag).not.toBe(etag)
    expect((await app.inject('/api/admin/audit-logs')).body).not.toMatch(/hunter[23]/)
    for (const part of [file, `${file}-wal`]) expect(readFileSync(part, 'latin1')).not.toMatch(/hunter[23]/)
  })

  test.each(['1', 'trading.orders.place'])(
    '[CALL-65] %s has a version, and a change of an older one is refused',
    async (id) => {
      const { app } = await newAdminApp()
      await post(app, { ...PRICES, api_endpoint_id: '3' })
      const read = await app.inject(`${URL}/${id}`)
      expect(read.json()).toMatchObject({ id: id === '1' ? 1 : id, is_active: 1 })
      const headers = { 'if-match': String(read.headers.etag) }
      const toggle = (is_active: 0 | 1) =>
        app.inject({ method: 'PUT', url: `${URL}/${id}`, headers, payload: { is_active } })
      expect((await toggle(0)).statusCode).toBe(200)
      expect((await toggle(0)).json()).toMatchObject({ status: 412, code: 'version.changed' })
      expect((await app.inject({ method: 'DELETE', url: `${URL}/${id}`, headers })).statusCode).toBe(412)
      expect((await app.inject(`${URL}/999`)).statusCode).toBe(404)
    },
  )

  test('[CALL-22] is edited, toggled and deleted, each seen by the next list', async () => {
    const { app } = await newAdminApp()
    await post(app, { ...PRICES, api_endpoint_id: '3' })
    const edit = { method: 'POST', path: '/quotes', description: '', parameters: '{}' }
    expect((await put(app, '1', edit)).json()).toEqual({ success: true, message: 'Route updated' })
    expect((await routesOf(app, 3)).at(-1)).toMatchObject({ id: 1, ...edit, is_active: 1 })
    await put(app, '1', { is_active: 0 })
    expect((await routesOf(app, 3)).at(-1)).toMatchObject({ id: 1, ...edit, is_active: 0 })
    await put(app, '1', { ...edit, requires_auth: 1 })
    expect((await routesOf(app, 3)).at(-1)).toMatchObject({ is_active: 0, requires_auth: 1 })
    const before = await routesOf(app, 3)
    const removed = await app.inject({ method: 'DELETE', url: `${URL}/1` })
    expect(removed.json()).toEqual({ success: true, message: 'Route deleted' })
    expect(await routesOf(app, 3)).toEqual(before.slice(0, -1))
  })

  test('[CALL-5] is refused if it exists, as a built-in route too', async () => {
    const { app } = await newAdminApp()
    await post(app, { ...PRICES, api_endpoint_id: 1 })
    await post(app, { ...PRICES, path: '/other', api_endpoint_id: 1 })
    const exists = { code: 'thing.exists', errors: [{ field: 'body.path' }] }
    expect((await post(app, { ...PRICES, api_endpoint_id: 1 })).json()).toMatchObject(exists)
    expect((await put(app, '2', PRICES)).json()).toMatchObject(exists)
    for (const path of ['/api/orders/{id}', '/api/orders/:id']) {
      const cancel = { ...PRICES, method: 'DELETE', path }
      expect((await post(app, { ...cancel, api_endpoint_id: 1 })).json(), path).toMatchObject(exists)
      expect((await put(app, '2', cancel)).json(), path).toMatchObject(exists)
    }
    expect((await post(app, { ...PRICES, method: 'POST', api_endpoint_id: 1 })).statusCode).toBe(201)
    expect((await post(app, { ...PRICES, api_endpoint_id: 2 })).statusCode).toBe(201)
  })

  test.each([4, '4', 'trading', '', -1])(
    'for the unknown service %j is refused with that field',
    async (id) => {
      const { app } = await newAdminApp()
      const reply = await post(app, { ...PRICES, api_endpoint_id: id })
      expect(reply.statusCode).toBe(422)
      expect(reply.json().errors).toEqual([
        { field: 'body.api_endpoint_id', message: 'is not a known service' },
      ])
    },
  )

  test.each([
    ['{', 'is not JSON: it ends at line 1, column 2'],
    ['{"query":\n{"limit":5,}}', 'is not JSON: unexpected "}" at line 2, column 12'],
    ['[1]', 'must be a JSON object, but another value begins at line 1, column 1'],
  ])('with the parameters %j is refused with the position of the error', async (parameters, message) => {
    const { app } = await newAdminApp()
    const added = await post(app, { ...PRICES, parameters, api_endpoint_id: 1 })
    expect(added.statusCode).toBe(422)
    expect(added.json().errors).toEqual([{ field: 'body.parameters', message }])
    await post(app, { ...PRICES, api_endpoint_id: 1 })
    const edited = await put(app, '1', { ...PRICES, parameters })
    expect(edited.statusCode).toBe(422)
    expect(edited.json().errors).toEqual([{ field: 'body.parameters', message }])
  })
})

describe('the routes of built-in services', () => {
  test.each([
    [1, 'trading'],
    [2, 'admin'],
    [3, 'database'],
  ] as const)('[CALL-21] [CALL-42] service %i lists every call of the %s API', async (id, name) => {
    const { app } = await newAdminApp()
    const listed = await routesOf(app, id)
    expect(listed.map(({ method, path }) => `${method} ${path.replace(/\{(\w+)\}/g, ':$1')}`)).toEqual(
      callsOf(name).map(({ endpoint }) => `${endpoint.method} ${endpoint.path}`),
    )
    expect(new Set(listed.map((route) => route.id)).size).toBe(listed.length)
  })

  test('[CALL-21] none requires sign-in, and each is active on a new server', async () => {
    const { app } = await newAdminApp()
    const listed = await routesOf(app, 1)
    expect(listed.find(({ path }) => path === '/api/orders')).toEqual({
      id: 'trading.orders.list',
      api_endpoint_id: 1,
      method: 'GET',
      path: '/api/orders',
      description: expect.stringMatching(/./),
      parameters: '{}',
      is_active: 1,
      requires_auth: 0,
      is_builtin: 1,
      is_always_on: 0,
    })
    expect(listed.find(({ path }) => path === '/health')).toMatchObject({ is_always_on: 1 })
    expect(listed.every(({ is_active, requires_auth }) => is_active === 1 && requires_auth === 0)).toBe(true)
  })

  test('[API-25] [API-31] are neither edited nor deleted', async () => {
    const { app } = await newAdminApp()
    const before = await routesOf(app, 1)
    const edited = await put(app, 'trading.orders.list', PRICES)
    const removed = await app.inject({ method: 'DELETE', url: `${URL}/trading.orders.list` })
    for (const reply of [edited, removed]) {
      expect(reply.statusCode).toBe(409)
      expect(reply.json()).toMatchObject({ code: 'route.built-in' })
    }
    expect(await routesOf(app, 1)).toEqual(before)
  })
})

function post(app: FastifyInstance, payload: object) {
  return app.inject({ method: 'POST', url: URL, payload })
}

function put(app: FastifyInstance, id: string, payload: object) {
  return app.inject({ method: 'PUT', url: `${URL}/${id}`, payload })
}

async function routesOf(app: FastifyInstance, serviceId: number): Promise<Route[]> {
  return (await app.inject(`${URL}/by-endpoint/${serviceId}`)).json().routes
}

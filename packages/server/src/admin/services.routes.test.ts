import type { FastifyInstance } from 'fastify'
import { expect, test } from 'vitest'
import { newAdminApp } from '#testkit/admin-app.ts'

const URL = '/api/admin/endpoints'
const FEED = { name: 'Feed', description: 'Prices', url: 'http://localhost:9000' }

test('[CALL-21] a new server lists its three built-in services with their addresses', async () => {
  const { app } = await newAdminApp()
  expect(await listOf(app)).toEqual([
    {
      id: 1,
      name: 'Trading API',
      description: 'Engine, strategies, orders, positions and risk',
      url: 'http://localhost/trading',
      is_builtin: 1,
    },
    {
      id: 2,
      name: 'Admin Database API',
      description: 'Settings, users, API services and audit log',
      url: 'http://localhost/admin',
      is_builtin: 1,
    },
    {
      id: 3,
      name: 'Database Management',
      description: 'Connections, tables, queries and backups',
      url: 'http://localhost/database',
      is_builtin: 1,
    },
  ])
})

test('a service can be added, changed and deleted', async () => {
  const { app } = await newAdminApp()
  const added = await app.inject({ method: 'POST', url: URL, payload: FEED })
  expect([added.statusCode, added.json()]).toEqual([201, { id: 4, ...FEED, is_builtin: 0 }])
  const changed = await app.inject({
    method: 'PUT',
    url: `${URL}/4`,
    payload: { url: 'https://feed.example/v2' },
  })
  expect(changed.json()).toEqual({ id: 4, ...FEED, url: 'https://feed.example/v2', is_builtin: 0 })
  expect((await listOf(app))[3]).toEqual(changed.json())
  expect((await app.inject({ method: 'DELETE', url: `${URL}/4` })).statusCode).toBe(200)
  expect(await listOf(app)).toHaveLength(3)
})

test('a service is deleted with its routes, which the audit log records', async () => {
  const { app } = await newAdminApp()
  await app.inject({ method: 'POST', url: URL, payload: FEED })
  const parameters = JSON.stringify({ headers: { Authorization: 'Bearer hunter2' } })
  const route = { method: 'GET', path: '/prices', description: '', parameters, api_endpoint_id: 4 }
  expect((await app.inject({ method: 'POST', url: '/api/admin/routes', payload: route })).statusCode).toBe(
    201,
  )
  expect((await app.inject({ method: 'DELETE', url: `${URL}/4` })).statusCode).toBe(200)
  expect((await app.inject('/api/admin/routes/by-endpoint/4')).statusCode).toBe(404)
  const reply = await app.inject('/api/admin/audit-logs')
  expect(reply.body).not.toContain('hunter2')
  expect(reply.json().logs[0]).toMatchObject({
    action: 'services.remove',
    before: {
      name: 'Feed',
      routes: [{ path: '/prices', parameters: { headers: { Authorization: '[masked]' } } }],
    },
    after: null,
  })
})

test.each([
  ['PUT', { name: 'Mine' }],
  ['DELETE', undefined],
] as const)('a built-in service refuses %s', async (method, payload) => {
  const { app } = await newAdminApp()
  const before = await listOf(app)
  const reply = await app.inject({ method, url: `${URL}/1`, ...(payload && { payload }) })
  expect(reply.statusCode).toBe(409)
  expect(reply.json()).toMatchObject({ code: 'service.built-in' })
  expect(await listOf(app)).toEqual(before)
})

test('names are unique, built-in ones included', async () => {
  const { app } = await newAdminApp()
  const reply = await app.inject({ method: 'POST', url: URL, payload: { ...FEED, name: 'trading api' } })
  expect(reply.json()).toMatchObject({ code: 'thing.exists', errors: [{ field: 'body.name' }] })
})

async function listOf(app: FastifyInstance): Promise<unknown[]> {
  return (await app.inject(URL)).json().endpoints
}

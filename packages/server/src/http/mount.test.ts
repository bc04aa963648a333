import { adminEndpoint, orders, Problem, risk, settings } from '@binnacle/contract'
import type { FastifyInstance } from 'fastify'
import { expect, test } from 'vitest'
import * as z from 'zod'
import { silentLog } from '#testkit/silent-log.ts'
import { createHttpApp } from './app.ts'
import { mount, mountedOn, mountUnbuilt } from './mount.ts'
import { notFound, Refused } from './problems.ts'

const ORDER = { instrument: 'BTCUSDT', side: 'BUY', type: 'LIMIT', quantity: 0.001, price: 50_000 }
const PLACED = { id: 'O-1', ...ORDER, filled_qty: 0, status: 'PENDING' }

test('a handler gets the parsed request, and its reply has the declared status', async () => {
  const app = newApp()
  const placed: unknown[] = []
  mount(app, orders.place, ({ body }) => {
    placed.push(body)
    return PLACED
  })
  const reply = await app.inject({ method: 'POST', url: '/api/orders', payload: ORDER })
  expect(reply.statusCode).toBe(201)
  expect(reply.json()).toEqual(PLACED)
  expect(placed).toEqual([ORDER])
})

test('[CALL-64] every reply of the API has the id of its request, as the problem and the handler have it', async () => {
  const app = newApp()
  const seen: (string | null)[] = []
  mount(app, orders.place, (_, { audit }) => {
    seen.push(audit.requestId)
    return PLACED
  })
  const placed = await app.inject({ method: 'POST', url: '/api/orders', payload: ORDER })
  expect(placed.headers['x-request-id']).toBe(seen[0])
  const refused = await app.inject({ method: 'POST', url: '/api/orders', payload: {} })
  expect(refused.headers['x-request-id']).toBe(refused.json().request_id)
  expect(refused.headers['x-request-id']).not.toBe(seen[0])
})

test('[CALL-4] a malformed value and an unknown field are refused, each with its name', async () => {
  const app = newApp()
  let calls = 0
  mount(app, orders.place, () => {
    calls += 1
    return PLACED
  })
  const payload = { ...ORDER, quantity: 'much', leverage: 100 }
  const reply = await app.inject({ method: 'POST', url: '/api/orders', payload })
  expect(reply.statusCode).toBe(422)
  expect(reply.headers['content-type']).toMatch('application/problem+json')
  expect(Problem.parse(reply.json())).toMatchObject({
    type: 'urn:binnacle:problem:request.invalid',
    code: 'request.invalid',
    title: 'The request is not valid',
    detail: 'Quantity must be a number; Leverage is not a known field.',
    errors: [
      { field: 'body.quantity', message: 'must be a number' },
      { field: 'body.leverage', message: 'is not a known field' },
    ],
  })
  expect(calls).toBe(0)
})

test('errors in path, query and body are reported together, without the values', async () => {
  const app = newApp()
  const paged = adminEndpoint('POST /api/pages/:page', {
    summary: 'A page',
    role: 'viewer',
    params: z.strictObject({ page: z.string().regex(/^\d+$/) }),
    query: z.strictObject({ limit: z.coerce.number().max(50) }),
    body: z.strictObject({ token: z.string().max(4) }),
    reply: z.object({}),
  })
  mount(app, paged, () => ({}))
  const request = { method: 'POST', url: '/api/pages/x?limit=51', payload: { token: 'hunter2' } } as const
  const reply = await app.inject(request)
  const { errors } = Problem.parse(reply.json())
  expect(errors?.map(({ field }) => field)).toEqual(['path.page', 'query.limit', 'body.token'])
  expect(reply.body).not.toContain('hunter2')
})

test('the detail uses form labels and lists the first five errors', async () => {
  const app = newApp()
  mount(app, risk.saveLimits, () => ({}))
  const put = async (payload: object) =>
    (await app.inject({ method: 'POST', url: '/api/risk/limits', payload })).json().detail
  const limits = { max_order_size: 1, max_position_size: 1, max_daily_loss: 1, max_positions: 1 }
  expect(await put({ ...limits, max_order_size: 'x' })).toBe('Max Order Size must be a number.')
  expect(await put([])).toMatch(/^The request must be /)
  const many = Object.fromEntries(['a', 'b', 'c', 'd', 'e', 'f', 'g'].map((name) => [name, 1]))
  expect(await put({ ...limits, ...many })).toMatch(/^A is not .*; E is not a known field; and 2 more\.$/)
})

test('[CALL-4] the reply stays short for many errors and counts the rest', async () => {
  const app = newApp()
  mount(app, orders.place, () => PLACED)
  const send = (payload: object) => app.inject({ method: 'POST', url: '/api/orders', payload })
  const unknown = Object.fromEntries(Array.from({ length: 80_000 }, (_, index) => [`f${index}`, 1]))
  const reply = await send({ ...ORDER, ...unknown })
  expect(reply.json().detail).toMatch(/; F4 is not a known field; and 79995 more\.$/)
  expect(reply.json().errors).toHaveLength(101)
  expect(reply.json().errors.at(-1)).toEqual({
    field: 'request',
    message: 'has 79900 more errors, which are not listed',
  })
  const long = await send({ ...ORDER, ['x'.repeat(900_000)]: 1 })
  expect(long.json().errors).toEqual([{ field: `body.${'x'.repeat(195)}…`, message: 'is not a known field' }])
  expect(Math.max(reply.body.length, long.body.length)).toBeLessThan(10_000)
})

test('a missing body and an unexpected body are errors', async () => {
  const app = newApp()
  mount(app, orders.place, () => PLACED)
  mount(app, orders.cancel, () => ({}))
  const missing = await app.inject({ method: 'POST', url: '/api/orders' })
  expect(missing.json().errors).toEqual([{ field: 'body', message: 'is missing' }])
  const cancel = { method: 'DELETE', url: '/api/orders/1' } as const
  expect((await app.inject({ ...cancel, payload: {} })).statusCode).toBe(200)
  expect((await app.inject(cancel)).statusCode).toBe(200)
  expect((await app.inject({ ...cancel, payload: { force: true } })).json().errors).toEqual([
    { field: 'body.force', message: 'is not a known field' },
  ])
})

test('a field that is not in the contract is not sent', async () => {
  const app = newApp()
  const secretive = { key: 'k', value: 'v', description: '', category: 'general', password: 'hunter2' }
  mount(app, settings.list, () => ({ settings: [secretive] }))
  const reply = await app.inject('/api/admin/settings')
  expect(reply.json()).toEqual({ settings: [{ key: 'k', value: 'v', description: '', category: 'general' }] })
})

test('a refusal becomes a problem with its code, detail and request id', async () => {
  const app = newApp()
  mount(app, settings.get, () => new Refused('setting.unknown', "There is no setting 'x'."))
  const reply = await app.inject('/api/admin/settings/x')
  expect(reply.statusCode).toBe(404)
  expect(reply.json()).toEqual({
    type: 'urn:binnacle:problem:setting.unknown',
    title: 'Unknown setting',
    status: 404,
    detail: "There is no setting 'x'.",
    code: 'setting.unknown',
    request_id: expect.stringMatching(/^[\da-f]{32}$/),
  })
})

test('an unknown id is answered by one sentence, with its field and where to look', async () => {
  const app = newApp()
  mount(app, settings.get, () => notFound('color', 'x', { field: 'path.setting_key', list: ['red', 'blue'] }))
  const reply = await app.inject('/api/admin/settings/x')
  expect(reply.json()).toMatchObject({
    code: 'thing.unknown',
    detail: "There is no color 'x'. Available: red, blue.",
    errors: [{ field: 'path.setting_key', message: 'is not a known color' }],
  })
})

test.each([
  ['a handler that throws', () => Promise.reject(new Error('SELECT secret FROM vault'))],
  // The type would not let a handler do this.
  ['a reply that breaks its contract', () => ({ settings: 'vault' }) as never],
])('%s is a fault, whose details are not sent', async (_what, handler) => {
  const app = newApp()
  mount(app, settings.list, handler)
  const reply = await app.inject('/api/admin/settings')
  expect(reply.statusCode).toBe(500)
  expect(reply.json()).toMatchObject({ code: 'server.fault', title: 'The server failed' })
  expect(reply.body).not.toMatch(/vault|settings/)
})

test.each([{ errcode: 13 }, { code: 'ENOSPC' }])('a full disk is named: %j', async (as) => {
  const app = newApp()
  mount(app, settings.list, () => Promise.reject(Object.assign(new Error('full'), as)))
  const reply = await app.inject('/api/admin/settings')
  expect(reply.statusCode).toBe(500)
  expect(reply.json().detail).toMatch(/^The disk with the data folder is full/)
})

test('mounting a call twice throws', () => {
  const app = newApp()
  mount(app, orders.list, () => ({ orders: [] }))
  expect(() => mount(app, orders.list, () => ({ orders: [] }))).toThrow('GET /api/orders is mounted twice')
})

test('a call without a handler answers 501 and is recorded as unbuilt', async () => {
  const app = newApp()
  mount(app, orders.list, () => ({ orders: [] }))
  const { list, place, modify, cancel } = orders
  const calls = Object.entries({ list, place, modify, cancel }).map(
    ([act, declared]) => ({ id: `orders.${act}`, app: 'trading', endpoint: declared }) as const,
  )
  mountUnbuilt(app, calls)
  expect([...mountedOn(app)]).toEqual([
    [orders.list, 'built'],
    [orders.place, 'unbuilt'],
    [orders.modify, 'unbuilt'],
    [orders.cancel, 'unbuilt'],
  ])
  expect((await app.inject('/api/orders')).statusCode).toBe(200)
  const reply = await app.inject({ method: 'DELETE', url: '/api/orders/7' })
  expect(reply.statusCode).toBe(501)
  expect(reply.json()).toMatchObject({
    code: 'route.not-built',
    detail: 'DELETE /api/orders/:id is planned but not part of this version.',
  })
})

function newApp(): FastifyInstance {
  return createHttpApp({ logger: silentLog })
}

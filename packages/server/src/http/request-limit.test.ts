import { orders, systemSettings, users } from '@binnacle/contract'
import type { FastifyInstance } from 'fastify'
import { expect, onTestFinished, test } from 'vitest'
import { silentLog } from '#testkit/silent-log.ts'
import { createHttpApp } from './app.ts'
import { mount } from './mount.ts'
import { createRequestLimit } from './request-limit.ts'

test('[SET-19] a call above the limit is answered 503 with Retry-After, also on another listener', async () => {
  const { apps, held, state } = newApps({ limit: 2 })
  const open = [held.send(apps[0]), held.send(apps[1])]
  await held.arrived(2)
  for (const app of apps) {
    const reply = await app.inject('/api/admin/users')
    expect([reply.statusCode, reply.headers['retry-after']]).toEqual([503, '1'])
    expect(reply.json()).toMatchObject({
      code: 'server.busy',
      detail:
        'More than 2 requests at once, so nothing was done. Try again, or raise Max Concurrent Requests in Settings.',
    })
  }
  expect(state.handled).toBe(2)
  held.answer()
  for (const reply of await Promise.all(open)) expect(reply.statusCode).toBe(200)
  expect((await apps[0].inject('/api/admin/users')).statusCode).toBe(200)
})

test('[SET-20] cancel and the settings themselves are answered above the limit, and do not count', async () => {
  const { apps, held, state } = newApps({ limit: 1 })
  const [app] = apps
  const open = held.send(app)
  await held.arrived(1)
  expect((await app.inject('/api/admin/users')).statusCode).toBe(503)
  expect((await app.inject({ method: 'DELETE', url: '/api/orders/O-1' })).statusCode).toBe(200)
  expect((await app.inject('/api/admin/system-settings')).statusCode).toBe(200)
  state.limit = 2
  const second = held.send(app)
  await held.arrived(2)
  held.answer()
  for (const reply of await Promise.all([open, second])) expect(reply.statusCode).toBe(200)
})

/** Two listeners with one limit; the list of users answers when the test says so. */
function newApps({ limit }: { limit: number }) {
  const state = { limit, handled: 0 }
  const requestLimit = createRequestLimit(() => state.limit)
  const { promise, resolve } = Promise.withResolvers<void>()
  const waiting: (() => void)[] = []
  const newApp = () => {
    const app = createHttpApp({ logger: silentLog })
    requestLimit.apply(app)
    mount(app, users.list, async () => {
      state.handled += 1
      for (const check of waiting) check()
      await promise
      return { users: [] }
    })
    mount(app, orders.cancel, () => ({ message: 'Cancelled' }))
    mount(app, systemSettings.read, () => ({ version: 1, values: {} }))
    onTestFinished(() => app.close())
    return app
  }
  const held = {
    send: (app: FastifyInstance) => app.inject('/api/admin/users'),
    arrived: (count: number) =>
      new Promise<void>((done) => {
        const check = () => state.handled >= count && done()
        waiting.push(check)
        check()
      }),
    answer: resolve,
  }
  return { apps: [newApp(), newApp()] as const, held, state }
}

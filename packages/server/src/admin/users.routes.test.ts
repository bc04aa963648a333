import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { temporaryFolder } from '@binnacle/stores/testkit'
import { verify } from '@node-rs/argon2'
import type { FastifyInstance } from 'fastify'
import { expect, test } from 'vitest'
import { createHttpApp } from '#http/app.ts'
import { openLog } from '#http/log.ts'
import { newAdminApp } from '#testkit/admin-app.ts'
import { newAdminStore } from '#testkit/admin-store.ts'
import { addUsersRoutes } from './users.routes.ts'

const ADA = { username: 'ada', email: 'ada@desk.example', role: 'risk', is_active: 1 }
const PASSWORD = 'correct horse battery'

test('[CALL-19] [CALL-40] a new server has one active admin, without a password', async () => {
  const { app, file } = await newAdminApp()
  expect(await usersOf(app)).toEqual([{ id: 1, username: 'admin', email: null, role: 'admin', is_active: 1 }])
  expect(storedHash(file, 'admin')).toBeNull()
})

test.each(['viewer', 'trader', 'risk', 'admin'])('a %s can be added and is listed', async (role) => {
  const { app } = await newAdminApp()
  const reply = await post(app, '', { ...ADA, role })
  expect([reply.statusCode, reply.json()]).toEqual([201, { id: 2, ...ADA, role }])
  expect((await usersOf(app))[1]).toEqual({ id: 2, ...ADA, role })
})

test('[CLIENT-19] a user, an API configuration or a task that is sent twice with one key is added once', async () => {
  const { app } = await newAdminApp()
  const things = {
    users: ADA,
    'api-configs': { name: 'Feed', endpoint: 'https://feed.example', is_enabled: 1 },
    tasks: { name: 'Nightly', kind: 'history.clean', schedule: '30 6 * * *', time_zone: 'UTC' },
  }
  for (const [path, payload] of Object.entries(things)) {
    const request = {
      method: 'POST',
      url: `/api/admin/${path}`,
      payload,
      headers: { 'idempotency-key': 'k' },
    } as const
    const first = await app.inject(request)
    const repeat = await app.inject(request)
    expect([first.statusCode, repeat.statusCode]).toEqual([201, 201])
    expect(repeat.json()).toEqual(first.json())
  }
})

test('a password is stored as an argon2id hash and never returned', async () => {
  const { app, file } = await newAdminApp()
  const replies = [
    await post(app, '', { ...ADA, password: PASSWORD }),
    await put(app, 2, { email: 'ada@other.example' }),
    await app.inject('/api/admin/users'),
    await app.inject('/api/admin/audit-logs'),
    await app.inject('/api/admin/audit-logs/export'),
  ]
  const hash = String(storedHash(file, 'ada'))
  expect(hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
  expect(await verify(hash, PASSWORD)).toBe(true)
  for (const { body } of replies) expect(body).not.toMatch(/correct horse|argon2|password_hash/)
})

test('a password is never logged, even if the request fails', async () => {
  const file = join(temporaryFolder(), 'server.log')
  const log = await openLog(file, 'trace')
  const { store } = await newAdminStore()
  const app = createHttpApp({ logger: log.logger })
  addUsersRoutes(app, store.users)
  await post(app, '', { ...ADA, password: PASSWORD })
  await post(app, '', { ...ADA, password: PASSWORD })
  await post(app, '', { ...ADA, password: PASSWORD, extra: PASSWORD })
  await store.close()
  expect((await put(app, 2, { password: PASSWORD })).statusCode).toBe(500)
  await log.close()
  expect(readFileSync(file, 'utf8')).toContain('"event":"fault"')
  expect(readFileSync(file, 'utf8')).not.toContain('correct horse')
})

test('a change affects only its fields; a new password replaces the old one and is audited', async () => {
  const { app, file } = await newAdminApp()
  await post(app, '', { ...ADA, password: PASSWORD })
  const reply = await put(app, 2, { role: 'trader', password: 'another long password' })
  expect(reply.json()).toEqual({ id: 2, ...ADA, role: 'trader' })
  expect(await verify(String(storedHash(file, 'ada')), 'another long password')).toBe(true)
  await put(app, 2, { email: 'a@b.example' })
  expect(await verify(String(storedHash(file, 'ada')), 'another long password')).toBe(true)
  const { logs } = (await app.inject('/api/admin/audit-logs')).json()
  expect(logs.map((line: { after: unknown }) => line.after)).toEqual([
    { id: 2, ...ADA, role: 'trader', email: 'a@b.example', sign_in: 'by password' },
    { id: 2, ...ADA, role: 'trader', sign_in: 'by a new password' },
    { id: 2, ...ADA, sign_in: 'by password' },
  ])
})

test('names are unique regardless of case, and a user may keep its own', async () => {
  const { app } = await newAdminApp()
  await post(app, '', ADA)
  const taken = { code: 'thing.exists', errors: [{ field: 'body.username' }] }
  expect((await post(app, '', { ...ADA, username: 'ADA' })).json()).toMatchObject(taken)
  expect((await put(app, 2, { username: 'Admin' })).json()).toMatchObject(taken)
  expect((await put(app, 2, { username: 'Ada' })).json()).toMatchObject({ username: 'Ada' })
  expect(await usersOf(app)).toHaveLength(2)
})

test('a deactivated user stays listed as not active', async () => {
  const { app } = await newAdminApp()
  await post(app, '', ADA)
  const reply = await post(app, '/2/deactivate')
  expect([reply.statusCode, reply.json()]).toEqual([200, { id: 2, ...ADA, is_active: 0 }])
  expect((await usersOf(app))[1]).toMatchObject({ username: 'ada', is_active: 0 })
})

test('the last active admin cannot be demoted or deactivated', async () => {
  const { app } = await newAdminApp()
  await post(app, '', { ...ADA, role: 'admin', is_active: 0 })
  for (const reply of [
    await post(app, '/1/deactivate'),
    await put(app, 1, { is_active: 0 }),
    await put(app, 1, { role: 'viewer' }),
  ]) {
    expect(reply.statusCode).toBe(409)
    expect(reply.json()).toMatchObject({
      code: 'user.last-admin',
      detail: 'This is the last active admin. Make another user an active admin first.',
    })
  }
  await put(app, 2, { is_active: 1 })
  expect((await post(app, '/1/deactivate')).statusCode).toBe(200)
  expect((await post(app, '/2/deactivate')).statusCode).toBe(409)
})

function post(app: FastifyInstance, path: string, payload?: object) {
  return app.inject({ method: 'POST', url: `/api/admin/users${path}`, ...(payload && { payload }) })
}

function put(app: FastifyInstance, id: number, payload: object) {
  return app.inject({ method: 'PUT', url: `/api/admin/users/${id}`, payload })
}

async function usersOf(app: FastifyInstance): Promise<unknown[]> {
  return (await app.inject('/api/admin/users')).json().users
}

function storedHash(file: string, username: string): unknown {
  const database = new DatabaseSync(file, { readOnly: true })
  const row = database.prepare('SELECT password_hash FROM users WHERE username = ?').get(username)
  database.close()
  return row?.password_hash
}

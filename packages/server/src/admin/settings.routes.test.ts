import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { FastifyInstance } from 'fastify'
import { expect, onTestFinished, test } from 'vitest'
import { createHttpApp } from '#http/app.ts'
import { openAdminStore } from '#storage/admin-store.ts'
import { silentLog } from '#testkit/silent-log.ts'
import { temporaryFolder } from '#testkit/temporary-folder.ts'
import { addAdminApp } from './app.ts'

test('a new server has the settings of every category with their defaults', async () => {
  const { app } = await adminApp()
  const reply = await app.inject('/api/admin/settings')
  expect(reply.statusCode).toBe(200)
  const rows = reply.json().settings.map(Object.values)
  expect(rows).toEqual([
    ['system_name', 'Binnacle', 'System Name', 'general'],
    ['environment', 'Production', 'Environment: Production, Staging or Development', 'general'],
    ['email_notifications', 'true', 'Notifications by Email', 'notifications'],
    ['slack_notifications', 'false', 'Notifications by Slack', 'notifications'],
    ['sms_notifications', 'false', 'Notifications by SMS', 'notifications'],
    ['session_timeout', '30', 'Session Timeout in minutes', 'security'],
    ['two_factor_auth', 'true', 'Two-Factor Auth', 'security'],
    ['max_concurrent_requests', '100', 'Max Concurrent Requests', 'performance'],
    ['cache_ttl', '3600', 'Cache TTL in seconds', 'performance'],
  ])
})

test('[CALL-20] a value that was put is in the next list, and no other setting changes', async () => {
  const { app } = await adminApp()
  const before = await valuesOf(app)
  const reply = await app.inject({ method: 'PUT', url: '/api/admin/settings/session_timeout?value=45' })
  expect(reply.statusCode).toBe(200)
  expect(await valuesOf(app)).toEqual({ ...before, session_timeout: '45' })
})

test.each([
  '',
  ' ',
  '0',
  'a b',
  'a+b&c=d?e#f/g%h',
  '100%',
  'O\'Brien "x"; DROP TABLE settings;--',
  '日本語 🧭',
  'a\nb',
])('the value %j comes back as it was', async (value) => {
  const { app } = await adminApp()
  const url = `/api/admin/settings/system_name?value=${encodeURIComponent(value)}`
  expect((await app.inject({ method: 'PUT', url })).statusCode).toBe(200)
  expect(await valuesOf(app)).toMatchObject({ system_name: value })
})

test.each([
  'a/b',
  'a b',
  "it's",
  '"quoted"',
  '100%',
  '%2F',
  '%252F',
  'a?b#c',
  'a+b&c=d',
  ';--',
  ':setting_key',
  'ключ',
  '🧭',
  'x'.repeat(300),
])('the key %j is found as it is spelt', async (key) => {
  const { app, file } = await adminApp()
  addSetting(file, key)
  const url = `/api/admin/settings/${encodeURIComponent(key)}?value=new`
  const reply = await app.inject({ method: 'PUT', url })
  expect(reply.statusCode, reply.body).toBe(200)
  expect((await valuesOf(app))[key]).toBe('new')
})

test('an unknown key is a problem that names it and changes nothing', async () => {
  const { app } = await adminApp()
  const before = await valuesOf(app)
  const reply = await app.inject({ method: 'PUT', url: '/api/admin/settings/no%2Fsuch%20key?value=1' })
  expect(reply.statusCode).toBe(404)
  expect(reply.json()).toMatchObject({
    code: 'setting.unknown',
    detail: "There is no setting 'no/such key'. GET /api/admin/settings lists them.",
  })
  expect(await valuesOf(app)).toEqual(before)
})

test.each([
  ['without a value', ''],
  ['with two values', '?value=1&value=2'],
  ['with another parameter', '?value=1&category=general'],
])('a change %s is refused and changes nothing', async (_what, query) => {
  const { app } = await adminApp()
  const before = await valuesOf(app)
  const reply = await app.inject({ method: 'PUT', url: `/api/admin/settings/cache_ttl${query}` })
  expect(reply.statusCode).toBe(422)
  expect(reply.json()).toMatchObject({ code: 'request.invalid' })
  expect(await valuesOf(app)).toEqual(before)
})

async function adminApp(): Promise<{ app: FastifyInstance; file: string }> {
  const file = join(temporaryFolder(), 'admin.sqlite')
  const store = await openAdminStore(file)
  onTestFinished(() => store.close())
  const app = createHttpApp({ logger: silentLog })
  addAdminApp(app, { store, urlOf: () => 'http://localhost' })
  return { app, file }
}

function addSetting(file: string, key: string): void {
  const other = new DatabaseSync(file)
  other.prepare("INSERT INTO settings VALUES (?, 'old', '', 'general')").run(key)
  other.close()
}

async function valuesOf(app: FastifyInstance): Promise<Record<string, string>> {
  const { settings } = (await app.inject('/api/admin/settings')).json()
  return Object.fromEntries(settings.map(({ key, value }: Record<string, string>) => [key, value]))
}

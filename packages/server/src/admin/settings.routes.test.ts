import { readFileSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import type { FastifyInstance } from 'fastify'
import { expect, test } from 'vitest'
import { newAdminApp } from '#testkit/admin-app.ts'

test('a new server has the settings of every category with their defaults', async () => {
  const { app } = await newAdminApp()
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

test('[CALL-65] a setting that was changed meanwhile is neither changed nor deleted with its old version', async () => {
  const { app } = await newAdminApp()
  const url = '/api/admin/settings/session_timeout'
  const etag = String((await app.inject(url)).headers.etag)
  const change = (method: 'PUT' | 'DELETE', query: string) =>
    app.inject({ method, url: `${url}${query}`, headers: { 'if-match': etag } })
  expect((await change('PUT', '?value=45')).statusCode).toBe(200)
  expect((await change('PUT', '?value=50')).json()).toMatchObject({ status: 412, code: 'version.changed' })
  expect((await change('DELETE', '')).statusCode).toBe(412)
  expect((await app.inject(url)).json()).toMatchObject({ value: '45' })
  expect((await app.inject({ method: 'PUT', url: `${url}?value=60` })).statusCode).toBe(200)
})

test('[ADM-10] a secret setting is sealed and shown masked, and the mask sent back keeps it', async () => {
  const { app, file, store } = await newAdminApp()
  const url = '/api/admin/settings/smtp_password'
  const secret = { key: 'smtp_password', value: 'hunter2', category: 'mail' }
  const added = await app.inject({ method: 'POST', url: '/api/admin/settings', payload: secret })
  expect(added.json()).toMatchObject({ value: '[masked]' })
  const before = (await store.settings.find('smtp_password'))?.value ?? ''
  expect(store.secrets.open(before, 'setting/smtp_password')).toBe('hunter2')
  await app.inject({ method: 'PUT', url: `${url}?value=${encodeURIComponent('[masked]')}` })
  expect((await store.settings.find('smtp_password'))?.value).toBe(before)
  await app.inject({ method: 'PUT', url: `${url}?value=hunter3` })
  const after = (await store.settings.find('smtp_password'))?.value ?? ''
  expect(store.secrets.open(after, 'setting/smtp_password')).toBe('hunter3')
  for (const path of [url, '/api/admin/settings', '/api/admin/audit-logs'])
    expect((await app.inject(path)).body).not.toMatch(/hunter[23]/)
  for (const part of [file, `${file}-wal`]) expect(readFileSync(part, 'latin1')).not.toMatch(/hunter[23]/)
})

test('[CALL-20] a saved value is in the next list, and no other setting changes', async () => {
  const { app } = await newAdminApp()
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
])('the value %j is returned unchanged', async (value) => {
  const { app, file } = await newAdminApp()
  addSetting(file, 'note')
  const url = `/api/admin/settings/note?value=${encodeURIComponent(value)}`
  expect((await app.inject({ method: 'PUT', url })).statusCode).toBe(200)
  expect(await valuesOf(app)).toMatchObject({ note: value })
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
])('the key %j is found', async (key) => {
  const { app, file } = await newAdminApp()
  addSetting(file, key)
  const url = `/api/admin/settings/${encodeURIComponent(key)}?value=new`
  const reply = await app.inject({ method: 'PUT', url })
  expect(reply.statusCode, reply.body).toBe(200)
  expect((await valuesOf(app))[key]).toBe('new')
})

test('an unknown key is refused, named and changes nothing', async () => {
  const { app } = await newAdminApp()
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
  const { app } = await newAdminApp()
  const before = await valuesOf(app)
  const reply = await app.inject({ method: 'PUT', url: `/api/admin/settings/cache_ttl${query}` })
  expect(reply.statusCode).toBe(422)
  expect(reply.json()).toMatchObject({ code: 'request.invalid' })
  expect(await valuesOf(app)).toEqual(before)
})

test('[CALL-19] a setting can be added, read by its key and deleted', async () => {
  const { app } = await newAdminApp()
  const setting = { key: 'desk/name', value: 'Seven', description: 'Of the desk', category: 'general' }
  const added = await app.inject({ method: 'POST', url: '/api/admin/settings', payload: setting })
  expect([added.statusCode, added.json()]).toEqual([201, setting])
  const url = '/api/admin/settings/desk%2Fname'
  expect((await app.inject(url)).json()).toEqual(setting)
  expect((await app.inject({ method: 'DELETE', url })).statusCode).toBe(200)
  expect((await app.inject(url)).statusCode).toBe(404)
  expect((await app.inject({ method: 'DELETE', url })).json()).toMatchObject({ code: 'setting.unknown' })
})

test('an existing key is refused and keeps its value', async () => {
  const { app } = await newAdminApp()
  const payload = { key: 'cache_ttl', value: '1', category: 'performance' }
  const reply = await app.inject({ method: 'POST', url: '/api/admin/settings', payload })
  expect(reply.statusCode).toBe(409)
  expect(reply.json()).toMatchObject({ code: 'thing.exists', errors: [{ field: 'body.key' }] })
  expect(await valuesOf(app)).toMatchObject({ cache_ttl: '3600' })
})

test('a body changes the fields it names and no other', async () => {
  const { app } = await newAdminApp()
  const url = '/api/admin/settings/cache_ttl'
  const put = (payload: object) => app.inject({ method: 'PUT', url, payload })
  expect((await put({ value: '60', description: 'Seconds' })).statusCode).toBe(200)
  const changed = { key: 'cache_ttl', value: '60', description: 'Seconds', category: 'performance' }
  expect((await app.inject(url)).json()).toEqual(changed)
  expect((await put({ category: 'tuning' })).statusCode).toBe(200)
  expect((await app.inject(url)).json()).toEqual({ ...changed, category: 'tuning' })
})

test('a value in query and body is refused; a query value and other fields in the body are combined', async () => {
  const { app } = await newAdminApp()
  const put = (payload: object) =>
    app.inject({ method: 'PUT', url: '/api/admin/settings/cache_ttl?value=1', payload })
  expect((await put({ value: '2' })).json()).toMatchObject({
    code: 'request.invalid',
    errors: [{ field: 'query.value' }, { field: 'body.value' }],
  })
  expect(await valuesOf(app)).toMatchObject({ cache_ttl: '3600' })
  expect((await put({})).statusCode).toBe(200)
  expect((await put({ description: 'Seconds' })).statusCode).toBe(200)
  expect(await valuesOf(app)).toMatchObject({ cache_ttl: '1' })
})

test('the audit log has before and after, without secrets', async () => {
  const { app, file } = await newAdminApp()
  const payload = { key: 'smtp_password', value: 'hunter2', category: 'notifications' }
  await app.inject({ method: 'POST', url: '/api/admin/settings', payload })
  await app.inject({ method: 'PUT', url: '/api/admin/settings/smtp_password?value=hunter3' })
  await app.inject({ method: 'PUT', url: '/api/admin/settings/cache_ttl?value=60' })
  const { logs } = (await app.inject('/api/admin/audit-logs')).json()
  expect(logs[0]).toMatchObject({ target: 'cache_ttl', before: { value: '3600' }, after: { value: '60' } })
  expect(logs[1]).toMatchObject({ before: { value: '[masked]' }, after: { value: '[masked]' } })
  const database = new DatabaseSync(file, { readOnly: true })
  const stored = JSON.stringify(database.prepare('SELECT * FROM audit_log').all())
  database.close()
  expect(stored).not.toMatch(/hunter[23]/)
})

function addSetting(file: string, key: string): void {
  const other = new DatabaseSync(file)
  other.prepare("INSERT INTO settings VALUES (?, 'old', '', 'general')").run(key)
  other.close()
}

async function valuesOf(app: FastifyInstance): Promise<Record<string, string>> {
  const { settings } = (await app.inject('/api/admin/settings')).json()
  return Object.fromEntries(settings.map(({ key, value }: Record<string, string>) => [key, value]))
}

test.each([
  ['session_timeout', 'soon', 'a whole number of minutes from 1 to 1440'],
  ['session_timeout', '0', 'a whole number of minutes from 1 to 1440'],
  ['environment', 'Moon', 'one of Production, Staging, Development'],
  ['two_factor_auth', 'maybe', 'one of true, false'],
])('[SET-8] %s cannot be %j, and the field is named', async (key, value, allowed) => {
  const { app } = await newAdminApp()
  const before = await valuesOf(app)
  const url = `/api/admin/settings/${key}?value=${encodeURIComponent(value)}`
  const reply = await app.inject({ method: 'PUT', url })
  expect(reply.statusCode).toBe(422)
  expect(reply.json()).toMatchObject({
    detail: `Value must be ${allowed}.`,
    errors: [{ field: 'query.value', message: `must be ${allowed}` }],
  })
  expect(await valuesOf(app)).toEqual(before)
})

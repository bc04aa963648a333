import { describe, expect, test } from 'vitest'
import { apiConfigs } from './api-configs.ts'
import { auditLogs } from './audit-logs.ts'
import { routes } from './routes.ts'
import { services } from './services.ts'
import { settings } from './settings.ts'
import { checkSetting } from './system-settings.ts'
import { users } from './users.ts'

describe('a new user', () => {
  const user = { username: 'ada', email: 'ada@desk.example', role: 'risk', is_active: 1 }

  test.each(['viewer', 'trader', 'risk', 'admin'])('may be a %s', (role) => {
    expect(users.add.body.parse({ ...user, role })).toEqual({ ...user, role })
  })

  test('may be given a password of 12 to 256 characters', () => {
    const accepts = (password: string) => users.add.body.safeParse({ ...user, password }).success
    expect(accepts('x'.repeat(12))).toBe(true)
    expect(accepts('x'.repeat(256))).toBe(true)
    expect(accepts('x'.repeat(11))).toBe(false)
    expect(accepts('x'.repeat(257))).toBe(false)
  })

  test.each([{ role: 'quartermaster' }, { email: 'ada' }, { username: '' }, { is_active: true }, { id: 7 }])(
    'with %j is refused',
    (fault) => {
      expect(users.add.body.safeParse({ ...user, ...fault }).success).toBe(false)
    },
  )
})

test('a user, a configuration and a service are changed by any of their fields, but not by none', () => {
  for (const { body } of [users.update, apiConfigs.update, services.update]) {
    expect(body.safeParse({}).error?.issues[0]?.message).toBe('send at least one field to change')
  }
  expect(users.update.body.parse({ role: 'viewer' })).toEqual({ role: 'viewer' })
  expect(apiConfigs.update.body.parse({ is_enabled: 0 })).toEqual({ is_enabled: 0 })
  expect(services.update.body.parse({ url: 'http://localhost:9000' })).toEqual({
    url: 'http://localhost:9000',
  })
})

test.each(['\0', 'a\ud800b', '\udc00'])('%j is no text that could be kept', (text) => {
  expect(settings.update.body.safeParse({ value: text }).success).toBe(false)
  expect(settings.update.query.safeParse({ value: text }).success).toBe(false)
})

test.each(['', ' ', 'a\nb', 'a\u0007b', ' a', 'a ', 'a\u202eb', 'a\u2028b', 'x'.repeat(101)])(
  'the name %j is refused',
  (name) => {
    expect(apiConfigs.add.body.safeParse({ name, endpoint: '/feed' }).success).toBe(false)
  },
)

test.each(['Feed', 'Лента', 'فید', '日本語', '👨‍👩‍👧', "O'Brien; DROP TABLE users", 'a  b'])(
  'the name %j is as good as any',
  (name) => {
    expect(apiConfigs.add.body.parse({ name, endpoint: '/feed' }).name).toBe(name)
  },
)

test.each(['.', '..'])('the key %j is refused, since it could not be addressed', (key) => {
  expect(settings.add.body.safeParse({ key, value: '', category: 'general' }).success).toBe(false)
})

test.each(['__proto__', 'constructor', 'prototype'])(
  '[ADB-560] the key %j is refused for a new setting, and read of an old one',
  (key) => {
    const setting = { key, value: '', category: 'general' }
    const refused = settings.add.body.safeParse(setting)
    expect(refused.error?.issues).toMatchObject([
      { path: ['key'], message: 'must not be __proto__, constructor or prototype' },
    ])
    expect(settings.list.reply.parse({ settings: [setting] })).toEqual({ settings: [setting] })
  },
)

describe('the address of a service', () => {
  const accepts = (url: string) => services.add.body.safeParse({ name: 'Feed', url }).success

  test.each(['http://localhost:9000', 'https://feed.example/base/', 'http://[::1]:9000'])(
    'may be %s',
    (url) => {
      expect(accepts(url)).toBe(true)
    },
  )

  test.each([
    '',
    'localhost',
    'ftp://feed.example',
    'javascript:alert(1)',
    'file:///etc/passwd',
    'http:localhost',
    'http://me:hunter2@feed.example',
    'http://me@feed.example',
    'http://feed.example?a=1',
    'http://feed.example/#a',
    'http://feed.example\\@evil.example',
    'http://',
  ])('may not be %s', (url) => {
    expect(accepts(url)).toBe(false)
  })
})

test.each(['', 'api', 'http://x/', '/a b', '/a?b=1', '/a#b', '/a\nb'])('a route has no path %j', (path) => {
  const route = { method: 'GET', path, description: '', api_endpoint_id: 1 }
  expect(routes.add.body.safeParse(route).success).toBe(false)
})

describe('the audit log is asked for', () => {
  test('by time, which is made UTC', () => {
    const query = auditLogs.list.query.parse({ from: '2026-03-31', to: '2026-03-31T10:00:00+02:00' })
    expect(query).toEqual({
      from: '2026-03-31T00:00:00.000Z',
      to: '2026-03-31T08:00:00.000Z',
      limit: 100,
    })
  })

  test.each([
    { from: 'yesterday' },
    { from: '2026-02-30' },
    { to: '2026-03-31T10:00:00+99:00' },
    { limit: '0' },
    { limit: '501' },
    { limit: '1.5' },
    { limit: 'all' },
    { cursor: '-1' },
    { cursor: '1e400' },
    { who: 'ada' },
  ])('but not with %j', (query) => {
    expect(auditLogs.list.query.safeParse(query).success).toBe(false)
  })
})

describe('the SMTP server', () => {
  test.each(['', 'smtp.example.com', 'mail', 'mail_1.desk', '127.0.0.1', '::1', 'fe80::1'])(
    '[SET-35] may be %o',
    (host) => expect(checkSetting('smtp_host', host)).toBeUndefined(),
  )

  test.each(['http://mail.example', 'mail example', 'mail.example/x', 'mail.example:25 ', '.mail', 'mail.'])(
    '[SET-35] must not be %o',
    (host) =>
      expect(checkSetting('smtp_host', host)).toBe('must be a host name or address such as smtp.example.com'),
  )
})

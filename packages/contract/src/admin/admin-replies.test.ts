import { expect, test } from 'vitest'
import { apiConfigs } from './api-configs.ts'
import { auditLogs } from './audit-logs.ts'
import { services } from './services.ts'
import { settings } from './settings.ts'
import { tasks } from './tasks.ts'
import { users } from './users.ts'

test('[CALL-19] settings have key, value, description and category', () => {
  const setting = { key: 'cache.ttl', value: '3600', description: 'Seconds', category: 'performance' }
  expect(settings.list.reply.parse({ settings: [setting] })).toEqual({ settings: [setting] })
  expect(settings.get.reply.parse(setting)).toEqual(setting)
})

test.each([
  [3600, '3600'],
  [true, 'true'],
  [null, ''],
])('a value of %j is shown as %j', (value, text) => {
  expect(settings.get.reply.parse({ key: 'k', value }).value).toBe(text)
})

test('[ADB-6] a setting is changed by a value in the query, any text, without a body', () => {
  expect(settings.update.query.parse({ value: 'a&b=c' })).toEqual({ value: 'a&b=c' })
  expect(settings.update.query.parse({ value: '' })).toEqual({ value: '' })
  expect(settings.update.body.parse(undefined)).toBeUndefined()
})

test('a setting can be changed by a body too, any of its fields but the key', () => {
  const change = { value: '1', description: 'd', category: 'general' }
  expect(settings.update.body.parse(change)).toEqual(change)
  expect(settings.update.body.parse({ description: '' })).toEqual({ description: '' })
  expect(settings.update.body.safeParse({ key: 'k' }).success).toBe(false)
})

test('[CALL-19] [CALL-40] users have id, username, email, role and is_active, the role being any text', () => {
  const user = { id: 1, username: 'ada', email: 'ada@desk.example', role: 'quartermaster', is_active: 1 }
  expect(users.list.reply.parse({ users: [user] })).toEqual({ users: [user] })
  expect(users.list.reply.parse([{ ...user, is_active: true }])).toEqual({ users: [user] })
})

test('[CALL-19] [CALL-41] API configurations have id, name, endpoint and is_enabled', () => {
  const config = { id: 1, name: 'Feed', endpoint: 'https://feed.example', is_enabled: 0 }
  expect(apiConfigs.list.reply.parse({ configs: [config] })).toEqual({ configs: [config] })
})

test('[CALL-21] services have id, name, description and url, in endpoints or bare', () => {
  const service = { id: 1, name: 'Trading', description: null, url: 'http://localhost:8000' }
  expect(services.list.reply.parse({ endpoints: [service] })).toEqual({ endpoints: [service] })
  expect(services.list.reply.parse([service])).toEqual({ endpoints: [service] })
})

test('[API-11] the health of the services comes by their ids', () => {
  const health = [
    { endpoint: 1, status: 'healthy', response_time: 12 },
    { endpoint: 2, status: 'unhealthy', error: 'HTTP 503' },
  ]
  expect(services.health.reply.parse({ health })).toEqual({ health })
})

test('new users, configurations and tasks are active unless they say otherwise', () => {
  expect(users.add.body.parse({ username: 'ada', email: 'ada@desk.example', role: 'risk' }).is_active).toBe(1)
  expect(apiConfigs.add.body.parse({ name: 'Feed', endpoint: '/feed' }).is_enabled).toBe(1)
  expect(
    tasks.add.body.parse({ name: 'Nightly', kind: 'audit.verify', schedule: '0 3 * * *' }).is_enabled,
  ).toBe(1)
})

test('an audit record says who, what, before and after', () => {
  const line = {
    id: 1,
    at: '2026-01-01T00:00:00Z',
    actor: 'ada',
    action: 'setting.update',
    before: '1',
    after: '2',
  }
  expect(auditLogs.list.reply.parse({ logs: [line] })).toEqual({ logs: [line] })
})

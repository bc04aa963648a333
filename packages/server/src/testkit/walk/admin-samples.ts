import type { AdminStore } from '#storage/admin-store.ts'
import { serverAuditContext } from '#storage/audit/audit-context.ts'

/** A request that a call accepts. */
export interface Sample {
  params?: Record<string, string>
  query?: Record<string, string>
  body?: Record<string, unknown>
}

type SampleOf = (store: AdminStore, nth: number) => Sample | Promise<Sample>

/**
 * A good request for every call of the admin API that is built, each time with new names. What it acts on is
 * made first. The tests that walk the contract fail for a call that has none here.
 */
export const ADMIN_SAMPLES: Record<string, SampleOf> = {
  'listener.health': () => ({}),
  'listener.ready': () => ({}),
  'adminHealth.check': () => ({}),
  'settings.list': () => ({}),
  'settings.add': (_, nth) => ({
    body: { key: `key-${nth}`, value: 'v', description: 'd', category: 'general' },
  }),
  'settings.get': async (store, nth) => ({ params: { setting_key: await aSetting(store, nth) } }),
  'settings.update': async (store, nth) => ({
    params: { setting_key: await aSetting(store, nth) },
    body: { value: 'new', description: 'other', category: 'security' },
  }),
  'settings.remove': async (store, nth) => ({ params: { setting_key: await aSetting(store, nth) } }),
  'systemSettings.read': () => ({}),
  'systemSettings.identity': () => ({}),
  'systemSettings.save': (_, nth) => ({ body: { values: { system_name: `Desk ${nth}` } } }),
  'systemSettings.reset': async (store, nth) => {
    await aSystemName(store, nth)
    return { body: { section: 'general' } }
  },
  'systemSettings.export': () => ({}),
  'systemSettings.import': (_, nth) => ({
    body: { settings: { system_name: `Imported ${nth}` }, apply: true },
  }),
  'systemSettings.versions': () => ({ query: { limit: '10' } }),
  'systemSettings.revert': async (store, nth) => {
    const before = await store.settings.version()
    await aSystemName(store, nth)
    return { params: { version: String(before) } }
  },
  'notifications.test': () => ({ params: { channel: 'email' } }),
  'users.list': () => ({}),
  'users.add': (_, nth) => ({
    body: { username: `user-${nth}`, email: 'ada@desk.example', role: 'risk', is_active: 1 },
  }),
  'users.update': async (store, nth) => ({
    params: { id: await aUser(store, nth) },
    body: { username: `renamed-${nth}`, email: 'bob@desk.example', role: 'trader', is_active: 0 },
  }),
  'users.deactivate': async (store, nth) => ({ params: { id: await aUser(store, nth) } }),
  'apiConfigs.list': () => ({}),
  'apiConfigs.add': (_, nth) => ({ body: { name: `feed-${nth}`, endpoint: '/feed', is_enabled: 1 } }),
  'apiConfigs.update': async (store, nth) => ({
    params: { id: await aConfig(store, nth) },
    body: { name: `renamed-${nth}`, endpoint: '/other', is_enabled: 0 },
  }),
  'apiConfigs.remove': async (store, nth) => ({ params: { id: await aConfig(store, nth) } }),
  'services.list': () => ({}),
  'services.health': () => ({}),
  'services.add': (_, nth) => ({
    body: { name: `service-${nth}`, description: 'd', url: 'http://localhost:9000' },
  }),
  'services.update': async (store, nth) => ({
    params: { id: await aService(store, nth) },
    body: { name: `renamed-${nth}`, description: 'other', url: 'http://localhost:9001/base' },
  }),
  'services.remove': async (store, nth) => ({ params: { id: await aService(store, nth) } }),
  'routes.list': async (store, nth) => ({ params: { id: await aService(store, nth) } }),
  'routes.get': async (store, nth) => ({ params: { id: await aRoute(store, nth) } }),
  'routes.add': (_, nth) => ({
    body: {
      method: 'GET',
      path: `/path-${nth}`,
      description: 'd',
      parameters: '{"query":{"limit":5}}',
      requires_auth: 0,
      api_endpoint_id: 1,
    },
  }),
  'routes.update': async (store, nth) => ({
    params: { id: await aRoute(store, nth) },
    body: { method: 'PUT', path: `/other-${nth}`, description: 'd', parameters: '{}', requires_auth: 1 },
  }),
  'routes.test': async (store, nth) => ({
    params: { id: await aRoute(store, nth, await aService(store, nth)) },
    body: { send: false },
  }),
  'routes.remove': async (store, nth) => ({ params: { id: await aRoute(store, nth) } }),
  'tasks.list': () => ({}),
  'tasks.add': (_, nth) => ({
    body: {
      name: `task-${nth}`,
      kind: 'audit.verify',
      schedule: '0 3 * * *',
      time_zone: 'UTC',
      is_enabled: 1,
    },
  }),
  'tasks.update': async (store, nth) => ({
    params: { id: await aTask(store, nth) },
    body: { name: `renamed-${nth}`, schedule: '5 4 * * 1', time_zone: 'Asia/Tokyo', is_enabled: 0 },
  }),
  'tasks.remove': async (store, nth) => ({ params: { id: await aTask(store, nth) } }),
  'tasks.run': async (store, nth) => ({ params: { id: await aTask(store, nth) } }),
  'tasks.history': async (store, nth) => ({ params: { id: await aTask(store, nth) }, query: { limit: '5' } }),
  'jobs.list': () => ({ query: { state: 'done', limit: '5' } }),
  'jobs.get': async (store, nth) => ({ params: { id: await aJob(store, nth) } }),
  'jobs.cancel': async (store, nth) => ({ params: { id: await aJob(store, nth) } }),
  'auditLogs.list': () => ({
    query: {
      from: '2026-01-01',
      to: '2026-02-01T00:00:00Z',
      actor: 'a',
      entity: 'b',
      limit: '5',
      cursor: '9',
    },
  }),
  'auditLogs.export': () => ({ query: { format: 'jsonl', action: 'settings.add', target: 'key' } }),
  'auditLogs.verify': () => ({}),
}

const ACT = serverAuditContext('a sample')

async function aSystemName(store: AdminStore, nth: number): Promise<void> {
  const values = new Map([['system_name', `Named ${nth}`]] as const)
  await store.settings.save(serverAuditContext('test'), { values })
}

async function aSetting({ settings }: AdminStore, nth: number): Promise<string> {
  const key = `sample-${nth}`
  await settings.add(ACT, { key, value: 'old', description: '', category: 'general' })
  return key
}

async function aUser({ users }: AdminStore, nth: number): Promise<string> {
  const user = { username: `sample-${nth}`, email: null, role: 'viewer', password_hash: null }
  return idOf(await users.add(ACT, { ...user, is_active: 1 }))
}

async function aConfig({ apiConfigs }: AdminStore, nth: number): Promise<string> {
  return idOf(await apiConfigs.add(ACT, { name: `sample-${nth}`, endpoint: '/feed', is_enabled: 1 }))
}

async function aService({ services }: AdminStore, nth: number): Promise<string> {
  return idOf(await services.add(ACT, { name: `sample-${nth}`, description: '', url: 'http://localhost:9' }))
}

async function aRoute({ routes }: AdminStore, nth: number, service = '1'): Promise<string> {
  const route = { method: 'GET', path: `/sample-${nth}`, description: '', parameters: '{}', requires_auth: 0 }
  return idOf(await routes.add(ACT, { ...route, requires_auth: 0, service_id: Number(service) }))
}

async function aTask({ tasks }: AdminStore, nth: number): Promise<string> {
  const task = {
    name: `sample-${nth}`,
    kind: 'history.clean',
    schedule: '0 0 1 1 *',
    time_zone: 'UTC',
  } as const
  return idOf(await tasks.add(ACT, { ...task, is_enabled: 1, handled_until: new Date().toISOString() }))
}

async function aJob({ jobs }: AdminStore, nth: number): Promise<string> {
  return String((await jobs.add(ACT, { kind: 'sample', title: `Sample ${nth}` })).id)
}

function idOf(outcome: { ok: true; value: { id: number } } | { ok: false }): string {
  if (!outcome.ok) throw new Error('A sample could not be made')
  return String(outcome.value.id)
}

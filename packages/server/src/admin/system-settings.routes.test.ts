import { SYSTEM_SETTINGS, systemSettings } from '@binnacle/contract'
import type { FastifyInstance } from 'fastify'
import { beforeEach, describe, expect, test } from 'vitest'
import { FIRST_SETTINGS } from '#storage/migrations/settings.ts'
import { newAdminApp, type TestAdmin } from '#testkit/admin-app.ts'

const URL = '/api/admin/system-settings'

let admin: TestAdmin
beforeEach(async () => {
  admin = await newAdminApp()
})

describe('system settings', () => {
  test('[SET-9] a change is in the next read, in the list of settings and in effect', async () => {
    expect(await read()).toMatchObject({ version: 1, values: { system_name: 'Binnacle', cache_ttl: '3600' } })
    const saved = await save({ system_name: 'Desk 7', cache_ttl: '60' })
    expect(saved.statusCode).toBe(200)
    expect(saved.json()).toMatchObject({ version: 2, values: { system_name: 'Desk 7', cache_ttl: '60' } })
    expect(await read()).toEqual(saved.json())
    expect((await admin.app.inject('/api/admin/settings/system_name')).json()).toMatchObject({
      value: 'Desk 7',
      description: 'System Name',
      category: 'general',
    })
    expect(admin.store.settings.effectiveValue('cache_ttl')).toBe('60')
    expect((await admin.app.inject(`${URL}/identity`)).json()).toEqual({
      system_name: 'Desk 7',
      environment: 'Production',
    })
  })

  test('[SET-9] a change on the Admin Database page is in effect as well, and so is a deletion', async () => {
    await admin.app.inject({ method: 'PUT', url: '/api/admin/settings/cache_ttl?value=7' })
    expect(admin.store.settings.effectiveValue('cache_ttl')).toBe('7')
    await admin.app.inject({ method: 'DELETE', url: '/api/admin/settings/cache_ttl' })
    expect(admin.store.settings.effectiveValue('cache_ttl')).toBe('3600')
    expect((await read()).values.cache_ttl).toBe('3600')
  })

  test('[SET-10] one invalid or unknown key refuses all, and each is named', async () => {
    const refused = await save({
      system_name: 'Desk 7',
      environment: 'Test',
      session_timeout: '0',
      cache_ttl: '1.5',
      two_factor_auth: 'yes',
      colour: 'red',
    })
    expect(refused.statusCode).toBe(422)
    expect(refused.json().errors).toEqual([
      {
        field: 'body.values.environment',
        message: 'must be one of Production, Staging, Development',
      },
      {
        field: 'body.values.session_timeout',
        message: 'must be a whole number of minutes from 1 to 1440',
      },
      { field: 'body.values.cache_ttl', message: 'must be a whole number of seconds from 0 to 604800' },
      { field: 'body.values.two_factor_auth', message: 'must be one of true, false' },
      { field: 'body.values.colour', message: 'is not a known setting' },
    ])
    expect(await read()).toMatchObject({ version: 1, values: { system_name: 'Binnacle' } })
  })

  test.each(['', ' ', ' Desk', 'Desk\n7', 'x'.repeat(61), 'Desk\u202e7'])(
    '[SET-10] %j is no system name',
    async (name) => {
      const { errors } = (await save({ system_name: name })).json()
      expect(errors).toEqual([
        {
          field: 'body.values.system_name',
          message: 'must be one line of 1 to 60 characters, without spaces around it',
        },
      ])
    },
  )

  test('[SET-45] the sentence of a refusal names the fields as the screen does', async () => {
    const { detail } = (await save({ cache_ttl: 'long', smtp_port: '0' })).json()
    expect(detail).toBe(
      'Cache TTL must be a whole number of seconds from 0 to 604800; SMTP Port must be a port from 1 to 65535.',
    )
  })

  test('[SET-10] a setting that is added under a known key is checked too', async () => {
    await admin.app.inject({ method: 'DELETE', url: '/api/admin/settings/cache_ttl' })
    const payload = { key: 'cache_ttl', value: 'long', category: 'performance' }
    const added = await admin.app.inject({ method: 'POST', url: '/api/admin/settings', payload })
    expect(added.json().errors).toMatchObject([{ field: 'body.value' }])
  })

  test('[SET-11] each change is a version with who, when and what; the same values again are none', async () => {
    await save({ system_name: 'Desk 7', cache_ttl: '60' })
    await save({ system_name: 'Desk 7' })
    await admin.app.inject({ method: 'PUT', url: '/api/admin/settings/environment?value=Staging' })
    const { versions } = await versionsOf(admin.app)
    expect(versions).toMatchObject([
      {
        version: 3,
        actor: 'local',
        changes: [{ key: 'environment', before: 'Production', after: 'Staging' }],
      },
      {
        version: 2,
        actor: 'local',
        changes: [
          { key: 'cache_ttl', before: '3600', after: '60' },
          { key: 'system_name', before: 'Binnacle', after: 'Desk 7' },
        ],
      },
    ])
    expect(versions.map(({ at }) => new Date(at).toISOString() === at)).toEqual([true, true])
  })

  test('[SET-12] any version can be brought back, and that is a new version', async () => {
    await save({ system_name: 'Desk 7', cache_ttl: '60' })
    await save({ system_name: 'Desk 8', environment: 'Staging' })
    await save({ cache_ttl: '90' })
    const first = await revert(2)
    expect(first.json()).toMatchObject({
      version: 5,
      values: { system_name: 'Desk 7', environment: 'Production', cache_ttl: '60' },
    })
    expect((await revert(3)).json()).toMatchObject({
      version: 6,
      values: { system_name: 'Desk 8', environment: 'Staging', cache_ttl: '60' },
    })
    expect((await revert(1)).json()).toMatchObject({ version: 7, values: { system_name: 'Binnacle' } })
    expect((await revert(1)).json()).toMatchObject({ version: 7 })
    expect((await revert(8)).json()).toMatchObject({ status: 404, code: 'thing.unknown' })
  })

  test('[SET-13] Reset sets a section, or all, to the defaults of a new server', async () => {
    await save({ system_name: 'Desk 7', cache_ttl: '60', max_concurrent_requests: '5' })
    const reset = (payload: object) => admin.app.inject({ method: 'POST', url: `${URL}/reset`, payload })
    expect((await reset({ section: 'performance' })).json().values).toMatchObject({
      system_name: 'Desk 7',
      cache_ttl: '3600',
      max_concurrent_requests: '100',
    })
    const { values } = (await reset({})).json()
    for (const { key, value } of FIRST_SETTINGS) expect([key, values[key]]).toEqual([key, value])
    expect((await reset({ section: 'colours' })).statusCode).toBe(422)
  })

  test('the defaults of the contract are those of a new data folder', () => {
    for (const { key, value, description, category } of FIRST_SETTINGS)
      expect(SYSTEM_SETTINGS[key]).toMatchObject({ default: value, description, section: category })
  })

  test('[SET-14] every changed setting has its audit record in the transaction of the change', async () => {
    await save({ system_name: 'Desk 7', cache_ttl: '60' })
    const { logs } = (await admin.app.inject('/api/admin/audit-logs')).json()
    const shown = logs.map(({ action, entity, target, after }: Record<string, object>) => [
      action,
      entity,
      target,
      Object(after).value,
    ])
    expect(shown).toEqual([
      ['systemSettings.save', 'setting', 'cache_ttl', '60'],
      ['systemSettings.save', 'setting', 'system_name', 'Desk 7'],
    ])
    expect((await admin.app.inject('/api/admin/audit-logs/verify')).json()).toMatchObject({ intact: true })
  })

  test('[SET-15] Export is a file that Import accepts', async () => {
    await save({ system_name: 'Desk 7' })
    const file = await admin.app.inject(`${URL}/export`)
    expect(file.headers['content-disposition']).toBe('attachment; filename="binnacle-settings.json"')
    const { settings } = JSON.parse(file.body)
    expect(settings.system_name).toBe('Desk 7')
    await save({ system_name: 'Desk 8' })
    expect((await importFile({ settings, apply: true })).json()).toEqual({
      version: 4,
      changes: [{ key: 'system_name', before: 'Desk 8', after: 'Desk 7' }],
    })
    expect((await read()).values.system_name).toBe('Desk 7')
  })

  test('[SET-16] Import shows what would change first, and applies nothing else than that', async () => {
    const settings = { system_name: 'Desk 9', cache_ttl: 60, two_factor_auth: true }
    const preview = (await importFile({ settings })).json()
    expect(preview).toEqual({
      version: 1,
      changes: [
        { key: 'system_name', before: 'Binnacle', after: 'Desk 9' },
        { key: 'cache_ttl', before: '3600', after: '60' },
      ],
    })
    expect((await read()).version).toBe(1)
    await save({ cache_ttl: '30' })
    const late = await importFile({ settings, apply: true, version: preview.version })
    expect(late.json()).toMatchObject({ status: 412, code: 'version.changed' })
    expect((await read()).values).toMatchObject({ system_name: 'Binnacle', cache_ttl: '30' })
    expect((await importFile({ settings, apply: true, version: 2 })).json()).toMatchObject({ version: 3 })
  })

  test('[SET-17] Import refuses unknown and invalid keys, naming each', async () => {
    const settings = { system_name: 'Desk 9', colour: 'red', cache_ttl: -1, environment: null }
    const refused = (await importFile({ settings, apply: true })).json()
    expect(refused.errors).toEqual([
      { field: 'body.settings.colour', message: 'is not a known setting' },
      { field: 'body.settings.cache_ttl', message: 'must be a whole number of seconds from 0 to 604800' },
      { field: 'body.settings.environment', message: 'must be text, a number or a boolean' },
    ])
    expect((await read()).version).toBe(1)
  })

  test('[SET-9] a value that an earlier version accepted and this one refuses has no effect', async () => {
    const { store } = admin
    const audit = { actor: 'local', role: 'admin', address: null, action: 'test', requestId: null }
    await store.settings.update(audit, 'max_concurrent_requests', { value: 'many' })
    expect(store.settings.effectiveValue('max_concurrent_requests')).toBe('100')
  })
})

async function read() {
  return systemSettings.read.reply.parse((await admin.app.inject(URL)).json())
}

function save(values: Record<string, string>) {
  return admin.app.inject({ method: 'PUT', url: URL, payload: { values } })
}

function revert(version: number) {
  return admin.app.inject({ method: 'POST', url: `${URL}/versions/${version}/revert` })
}

function importFile(payload: object) {
  return admin.app.inject({ method: 'POST', url: `${URL}/import`, payload })
}

async function versionsOf(app: FastifyInstance) {
  return systemSettings.versions.reply.parse((await app.inject(`${URL}/versions`)).json())
}

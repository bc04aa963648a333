import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { newAdminApp } from '#testkit/admin-app.ts'

const URL = '/api/admin/api-configs'
const FEED = { name: 'Feed', endpoint: 'https://feed.example', is_enabled: 1 }
const SECRET = { ...FEED, endpoint: 'https://desk:hunter2@feed.example?api_key=hunter2' }
const SHOWN = 'https://desk:[masked]@feed.example?api_key=[masked]'

test('[CALL-19] [CALL-41] API configurations can be added, changed and deleted, and the next list shows it', async () => {
  const { app } = await newAdminApp()
  const list = async () => (await app.inject(URL)).json()
  expect(await list()).toEqual({ configs: [] })
  const added = await app.inject({ method: 'POST', url: URL, payload: FEED })
  expect([added.statusCode, added.json()]).toEqual([201, { id: 1, ...FEED }])
  const changed = await app.inject({ method: 'PUT', url: `${URL}/1`, payload: { is_enabled: 0 } })
  expect([changed.statusCode, changed.json()]).toEqual([200, { id: 1, ...FEED, is_enabled: 0 }])
  expect(await list()).toEqual({ configs: [{ id: 1, ...FEED, is_enabled: 0 }] })
  expect((await app.inject({ method: 'DELETE', url: `${URL}/1` })).statusCode).toBe(200)
  expect(await list()).toEqual({ configs: [] })
  const gone = await app.inject({ method: 'PUT', url: `${URL}/1`, payload: { is_enabled: 0 } })
  expect(gone.json()).toMatchObject({ code: 'thing.unknown', errors: [{ field: 'path.id' }] })
})

test('names are unique, and ids are never reused', async () => {
  const { app } = await newAdminApp()
  const add = (name: string) => app.inject({ method: 'POST', url: URL, payload: { ...FEED, name } })
  await add('One')
  await add('Two')
  expect((await add('one')).json()).toMatchObject({ code: 'thing.exists', errors: [{ field: 'body.name' }] })
  const renamed = await app.inject({ method: 'PUT', url: `${URL}/2`, payload: { name: 'ONE' } })
  expect(renamed.statusCode).toBe(409)
  await app.inject({ method: 'DELETE', url: `${URL}/2` })
  expect((await add('Three')).json()).toMatchObject({ id: 3 })
})

test('[ADM-10] [ADM-11] passwords and keys in an address are neither shown nor logged nor stored in clear', async () => {
  const { app, file } = await newAdminApp()
  expect((await app.inject({ method: 'POST', url: URL, payload: SECRET })).json().endpoint).toBe(SHOWN)
  const edit = { name: 'Renamed', endpoint: SHOWN }
  expect((await app.inject({ method: 'PUT', url: `${URL}/1`, payload: edit })).json().endpoint).toBe(SHOWN)
  expect((await app.inject(URL)).json().configs).toMatchObject([{ name: 'Renamed', endpoint: SHOWN }])
  expect((await app.inject('/api/admin/audit-logs')).body).not.toContain('hunter2')
  for (const part of [file, `${file}-wal`]) expect(readFileSync(part).includes('hunter2')).toBe(false)
})

test('[ADM-10] an edit that sends the masked address back keeps the stored one', async () => {
  const { app, store } = await newAdminApp()
  await app.inject({ method: 'POST', url: URL, payload: SECRET })
  await app.inject({ method: 'PUT', url: `${URL}/1`, payload: { endpoint: SHOWN } })
  const sealed = await app.inject({
    method: 'PUT',
    url: `${URL}/1`,
    payload: { endpoint: 'https://x.example' },
  })
  expect(sealed.json().endpoint).toBe('https://x.example')
  expect(await store.apiConfigs.list()).toMatchObject([{ endpoint: 'https://x.example' }])
})

import { readRedisStats, type Source } from '@binnacle/stores'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { postgresAnchors } from '#storage/audit/anchor-stores.ts'
import { openHungStore } from '#testkit/hung-store.ts'
import type { ManagedStore } from './managed-stores.ts'
import { pickStore } from './pick-store.ts'
import { statusOf } from './store-status.ts'

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
})

afterEach(() => {
  vi.useRealTimers()
})

function aStore(id: string, source: Source): ManagedStore {
  return { id, identity: id, name: id, source, writable: true, release: async () => {} }
}

test.each(['postgresql', 'redis'] as const)(
  '[MAINT-400] a %s that does not answer within 10 s is no reachable store',
  async (type) => {
    const { url, asked } = await openHungStore(type)
    const here = aStore('here', { type: 'parquet', folder: '/tmp' })
    const picked = pickStore([aStore('hung', { type, url }), here])
    await asked
    vi.advanceTimersByTime(10_000)
    expect(await picked).toBe(here)
  },
)

test.each([
  ['postgresql', 'PostgreSQL did not answer within 10 s.'],
  ['redis', 'Redis did not answer within 10 s.'],
] as const)('[MAINT-400] the status of a %s that does not answer says so', async (type, error) => {
  const { url, asked } = await openHungStore(type)
  const none = { list: async () => [] }
  const status = statusOf(type, aStore('hung', { type, url }), { backups: none, jobs: none })
  await asked
  vi.advanceTimersByTime(10_000)
  expect(await status).toMatchObject({ size: null, error })
})

test('[MAINT-400] the statistics of a Redis that does not answer fail', async () => {
  const { url, asked } = await openHungStore('redis')
  const failed = expect(readRedisStats(url)).rejects.toThrow('Redis did not answer within 10 s.')
  await asked
  vi.advanceTimersByTime(10_000)
  await failed
})

test('[ADB-403] an anchor that PostgreSQL does not take within 10 s fails', async () => {
  const { url, asked } = await openHungStore('postgresql')
  const read = expect(postgresAnchors(url).read()).rejects.toThrow('PostgreSQL did not answer within 10 s.')
  await asked
  vi.advanceTimersByTime(10_000)
  await read
})

import { Redis } from 'ioredis'
import { expect, test } from 'vitest'
import { sharedFixture } from '#testkit/drivers/driver-fixture.ts'
import { redisConfig } from '#testkit/drivers/redis-fixture.ts'
import { describeRedis, freshRedis } from '#testkit/stores/test-stores.ts'
import type { AtEnd } from '#testkit/temporary-folder.ts'
import { createRedisDriver } from './driver.ts'

describeRedis('keys', () => {
  const store = sharedFixture(prepare)
  const never = new AbortController().signal
  const rowOfKey = async (value: string) => {
    const filter = { column: 'key', operator: 'eq', value } as const
    const { rows } = await (await store()).page({ table: 'db0', limit: 50, offset: 0, filter }, never)
    return rows.map(({ type, ttl, size, value: held }) => [type, ttl, size, held])
  }

  test.each([
    ['text', ['string', null, 5, 'hello']],
    ['binary', ['string', null, 3, { $blob: '/wAB', bytes: 3 }]],
    ['long', ['string', null, 6000, `${'é'.repeat(512)}…`]],
    ['profile', ['hash', null, 2, { name: 'ada', desk: '7' }]],
    [
      'queue',
      [
        'list',
        null,
        25,
        {
          shown: 'first 20 of 25',
          more: 'LRANGE queue 20 1019',
          items: Array.from({ length: 20 }, (_, index) => String(index)),
        },
      ],
    ],
    ['tags', ['set', null, 1, ['red']]],
    [
      'ranking',
      [
        'zset',
        null,
        2,
        [
          ['one', '1.5'],
          ['two', '2'],
        ],
      ],
    ],
    ['log', ['stream', null, 1, [['1-1', ['side', 'BUY']]]]],
    ['star*[x]', ['string', null, 1, '1']],
  ])('[STORE-63] %s is shown by its type', async (key, row) => {
    expect(await rowOfKey(key)).toEqual([row])
  })

  test.each([
    ['many "fields"', 'hash', 'HSCAN "many \\"fields\\"" 0 COUNT 1000'],
    ['many-members', 'set', 'SSCAN many-members 0 COUNT 1000'],
    ['many-ranks', 'zset', 'ZRANGE many-ranks 20 1019 WITHSCORES'],
    ['many-entries', 'stream', 'XRANGE many-entries (20-1 + COUNT 1000'],
  ])('[STORE-63] %s, a long %s, says how much is shown and how to read on', async (key, type, more) => {
    const driver = await store()
    const [row] = await rowOfKey(key)
    expect(row?.slice(0, 3)).toEqual([type, null, 1000])
    expect(row?.[3]).toMatchObject({ shown: expect.stringMatching(/^first \d+ of 1,000$/), more })
    const { rows } = await driver.run(more, { rows: 10_000, bytes: 16_777_216 }, never)
    expect(rows.length).toBeGreaterThanOrEqual(980)
  })

  test('a key with an expiry shows its TTL in seconds', async () => {
    const [[type, ttl] = []] = await rowOfKey('session')
    expect(type).toBe('string')
    expect(ttl).toBeGreaterThan(3_000)
    expect(ttl).toBeLessThanOrEqual(3_600)
  })

  test('are found by a part of their name in either case, and by their type', async () => {
    const page = async (column: string, operator: 'contains' | 'eq', value: string) =>
      (await store()).page({ table: 'db0', limit: 50, offset: 0, filter: { column, operator, value } }, never)
    expect((await page('key', 'contains', 'PROF')).rows.map(({ key }) => key)).toEqual(['profile'])
    expect((await page('key', 'contains', '*[')).rows.map(({ key }) => key)).toEqual(['star*[x]'])
    expect((await page('type', 'eq', 'string')).rows.map(({ key }) => key)).toContain('text')
    await expect(page('value', 'eq', 'hello')).rejects.toMatchObject({ code: 'store.unsupported' })
  })

  test('are exported whole', async () => {
    const { batches } = await (await store()).stream({ table: 'db0' }, never)
    const exported = new Map<unknown, unknown>()
    for await (const batch of batches)
      for (const [key, , , , value] of batch) exported.set(key, JSON.parse(String(value)))
    expect(exported.get('long')).toBe('é'.repeat(3000))
    expect(exported.get('queue')).toHaveLength(25)
    expect(exported.get('huge')).toHaveLength(500_000)
    expect(exported.size).toBe(15)
  })
})

async function prepare(atEnd: AtEnd) {
  const { url } = await freshRedis(atEnd)
  const redis = new Redis(url)
  const content = redis.pipeline()
  content
    .set('text', 'hello')
    .set('binary', Buffer.from([0xff, 0, 1]))
    .set('long', 'é'.repeat(3000))
  content.set('star*[x]', '1').set('session', 'x', 'EX', 3_600)
  content.hset('profile', 'name', 'ada', 'desk', '7').sadd('tags', 'red')
  content.rpush('queue', ...Array.from({ length: 25 }, (_, index) => String(index)))
  content.zadd('ranking', 1.5, 'one', 2, 'two').xadd('log', '1-1', 'side', 'BUY')
  for (let nth = 1; nth <= 1000; nth += 1) {
    content.hset('many "fields"', `f${nth}`, nth).sadd('many-members', `m${nth}`)
    content.zadd('many-ranks', nth, `r${nth}`).xadd('many-entries', `${nth}-1`, 'n', nth)
  }
  for (let nth = 0; nth < 10; nth += 1) content.rpush('huge', ...Array.from({ length: 50_000 }, String))
  await content.exec()
  redis.disconnect()
  const driver = createRedisDriver(redisConfig(url))
  atEnd(() => driver.close())
  return driver
}

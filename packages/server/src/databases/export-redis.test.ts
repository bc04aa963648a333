import { openDriver } from '@binnacle/stores'
import {
  type AtEnd,
  describeRedis,
  freshRedis,
  sharedFixture,
  temporaryFolder,
} from '@binnacle/stores/testkit'
import { Redis } from 'ioredis'
import { expect, test } from 'vitest'
import { csvRecords, exportedBytes, queryParquet } from '#testkit/exported-rows.ts'

const BINARY = Buffer.from([0xff, 0x00, 0x5c, 0x78, 0xe2, 0x98, 0x83, 0xe2, 0x98])
const NAMES = ['text', 'empty', 'binary', 'json', 'list', 'hash', 'set', 'zset', 'stream', 'back\\slash']

describeRedis('an export of Redis', () => {
  const ready = sharedFixture(prepare)

  test.each(NAMES)('[STORE-60] the key %s is equal after a round trip', async (name) => {
    const { redis } = await ready()
    const before = await contentOf(redis, 0, name)
    expect(before).not.toEqual([])
    expect(await contentOf(redis, 1, name)).toEqual(before)
    expect(await contentOf(redis, 2, name)).toEqual(before)
    expect(await contentOf(redis, 3, name)).toEqual(before)
  })

  test('[STORE-60] a key whose name is not text and its TTL are equal after a round trip', async () => {
    const { redis } = await ready()
    for (const database of [1, 2, 3]) {
      await redis.select(database)
      expect(await redis.get(BINARY)).toBe('named')
      expect(await redis.pttl('text')).toBeGreaterThan(3_000_000)
      expect(await redis.pttl('list')).toBe(-1)
      expect(await redis.dbsize()).toBe(NAMES.length + 1)
    }
  })

  test('[STORE-61] each column has its type in Parquet', async () => {
    const { parquet, scratch } = await ready()
    const types = await queryParquet(parquet, scratch, 'DESCRIBE SELECT * FROM rows')
    expect(types.map(([name, type]) => [name, type])).toEqual([
      ['key', 'VARCHAR'],
      ['type', 'VARCHAR'],
      ['ttl', 'DOUBLE'],
      ['size', 'UINTEGER'],
      ['value', 'JSON'],
    ])
  })

  test('[STORE-60] the reply of a command has the same forms', async () => {
    const { driver, scratch } = await ready()
    const exported = async (statement: string) =>
      (await exportedBytes(driver, { statement }, { format: 'jsonl', scratch })).toString()
    expect(await exported('GET binary')).toBe(`{"value":${JSON.stringify('\\xff\0\\\\x☃\\xe2\\x98')}}\n`)
    expect(await exported('LLEN list')).toBe('{"value":2}\n')
    expect(await exported('GET nowhere')).toBe('{}\n')
  })
})

async function prepare(atEnd: AtEnd) {
  const { url } = await freshRedis(atEnd)
  const redis = new Redis(url)
  atEnd(() => redis.disconnect())
  await redis.set('text', 'hello', 'EX', 3_600)
  await redis.set('empty', '')
  await redis.set('binary', BINARY)
  await redis.set(BINARY, 'named')
  await redis.set('json', '{"a": "\\"", "n": null}')
  await redis.rpush('list', '☃', BINARY)
  await redis.hset('hash', 'name', 'ada', BINARY, BINARY)
  await redis.sadd('set', 'red', BINARY)
  await redis.zadd('zset', 0.1, 'low', '+inf', BINARY)
  await redis.xadd('stream', '1-1', 'side', 'BUY', 'side', BINARY)
  await redis.set('back\\slash', '\\x41')
  const scratch = temporaryFolder({}, atEnd)
  const driver = openDriver(
    {
      id: '1',
      name: 'Cache',
      kind: 'redis',
      databaseName: '0',
      connectionString: url,
      writable: false,
      timeLimitMs: 30_000,
    },
    { databaseFolders: [], dataFolder: scratch },
  )
  atEnd(() => driver.close())
  const exported = (format: 'csv' | 'jsonl' | 'parquet') =>
    exportedBytes(driver, { table: 'db0' }, { format, scratch })
  for (const [key, type, ttl, , value] of csvRecords(await exported('csv')))
    await importKey(redis, 1, { key, type, ttl, value: JSON.parse(value ?? '') })
  for (const line of (await exported('jsonl')).toString().trimEnd().split('\n'))
    await importKey(redis, 2, JSON.parse(line))
  const parquet = await exported('parquet')
  for (const [key, type, ttl, , value] of await queryParquet(parquet, scratch, 'SELECT * FROM rows'))
    await importKey(redis, 3, { key, type, ttl, value: JSON.parse(String(value)) })
  return { redis, driver, scratch, parquet }
}

interface ExportedKey {
  key: unknown
  type: unknown
  ttl: unknown
  value: unknown
}

async function importKey(
  redis: Redis,
  database: number,
  { key, type, ttl, value }: ExportedKey,
): Promise<void> {
  await redis.select(database)
  const name = bytesOf(key)
  const items = Object.entries(Object(value))
  if (type === 'string') await redis.set(name, bytesOf(value))
  if (type === 'list') await redis.rpush(name, ...items.map(([, item]) => bytesOf(item)))
  if (type === 'set') await redis.sadd(name, ...items.map(([, item]) => bytesOf(item)))
  if (type === 'hash')
    for (const [field, item] of items) await redis.hset(name, bytesOf(field), bytesOf(item))
  if (type === 'zset')
    for (const [, pair] of items) await redis.zadd(name, Object(pair)[1], bytesOf(Object(pair)[0]))
  if (type === 'stream')
    for (const [, entry] of items) await redis.xadd(name, Object(entry)[0], ...Object(entry)[1].map(bytesOf))
  if (ttl !== null) await redis.pexpire(name, Math.round(Number(ttl) * 1000))
}

/** Reverses the documented form: `\xHH` is a byte, `\\` a backslash. */
function bytesOf(text: unknown): Buffer {
  const parts = [...String(text).matchAll(/\\x([\da-f]{2})|\\\\|[^\\]+/g)].map(([part, byte]) =>
    byte === undefined ? Buffer.from(part === '\\\\' ? '\\' : part) : Buffer.from(byte, 'hex'),
  )
  return Buffer.concat(parts)
}

/** The content of a key as bytes, sorted where Redis has no order. */
async function contentOf(redis: Redis, database: number, key: string): Promise<unknown> {
  await redis.select(database)
  const read = {
    string: () => redis.callBuffer('GET', key),
    list: () => redis.callBuffer('LRANGE', key, 0, -1),
    hash: () => redis.callBuffer('HGETALL', key),
    set: () => redis.callBuffer('SMEMBERS', key),
    zset: () => redis.callBuffer('ZRANGE', key, 0, -1, 'WITHSCORES'),
    stream: () => redis.callBuffer('XRANGE', key, '-', '+'),
  }[await redis.type(key)]
  const reply = hexOf(await read?.())
  return Array.isArray(reply) ? reply.map((item) => JSON.stringify(item)).toSorted() : reply
}

function hexOf(reply: unknown): unknown {
  return Array.isArray(reply) ? reply.map(hexOf) : Buffer.isBuffer(reply) ? reply.toString('hex') : []
}

import { once } from 'node:events'
import { type AddressInfo, connect, createServer } from 'node:net'
import { Redis } from 'ioredis'
import type { ConnectionConfig } from '#driver.ts'
import { createRedisDriver } from '#redis/driver.ts'
import { freshRedis } from '#testkit/stores/test-stores.ts'
import type { AtEnd } from '#testkit/temporary-folder.ts'
import { type DriverFixture, TRADES } from './driver-fixture.ts'

export async function redisFixture(atEnd: AtEnd): Promise<DriverFixture> {
  const server = await freshRedis(atEnd)
  const redis = new Redis(server.url)
  atEnd(() => redis.disconnect())
  const proxy = await openRedisProxy(server.port, atEnd)
  const content = redis.pipeline()
  for (let id = 1; id <= TRADES; id += 1) content.set(`trade:${id}`, `${id * 1.5}`)
  content.select(3).set('"; FLUSHALL\r\n', '1').select(0)
  await content.exec()
  return {
    kind: 'redis',
    open: (config) => createRedisDriver({ ...redisConfig(proxy.url), ...config }),
    table: 'db0',
    id: 'key',
    schema: [
      { cid: 0, name: 'key', type: 'string', notnull: 1, pk: 1 },
      { cid: 1, name: 'type', type: 'string', notnull: 1, pk: 0 },
      { cid: 2, name: 'ttl', type: 'seconds', notnull: 0, pk: 0 },
      { cid: 3, name: 'size', type: 'integer', notnull: 0, pk: 0 },
      { cid: 4, name: 'value', type: 'any', notnull: 0, pk: 0 },
    ],
    version: /^Redis \d+/,
    hostileTables: ['db3'],
    values: { statement: 'GET trade:1', row: { value: '1.5' } },
    many: 'SCAN 0 COUNT 1000',
    // No allowed command runs long, so the proxy holds the reply.
    endless: { statement: 'GET trade:1', arrange: async () => proxy.holdNext() },
    runningStatements: async () => clients(redis),
    connections: async () => (await clients(redis)).length,
    write: { statement: 'SET trade:1 changed', changed: null },
    destructive: { statement: 'FLUSHDB', table: 'db0' },
    broken: 'HGETALL trade:1',
    unreachable: {
      connectionString: server.url.replace('//', '//nobody:sesame@'),
      sentence: /^Wrong user or password at/,
    },
    fingerprint: () => redisFingerprint(redis),
    bulk: {
      async arrange() {
        const filling = redis.pipeline().select(5)
        for (let id = 0; id < 3_000; id += 1) filling.set(`bulk:${id}`, 'x'.repeat(10_000))
        await filling.select(0).exec()
      },
      source: { table: 'db5' },
      rows: 3_000,
    },
  }
}

export function redisConfig(url: string): ConnectionConfig {
  return {
    id: '1',
    name: 'Cache',
    kind: 'redis',
    databaseName: '0',
    connectionString: url,
    writable: false,
    timeLimitMs: 30_000,
  }
}

/** Every key with its value and expiry, and every setting. */
export async function redisFingerprint(redis: Redis): Promise<string> {
  const databases = []
  for (let database = 0; database < 16; database += 1) {
    await redis.select(database)
    const keys = (await redis.keys('*')).toSorted()
    const contents = await Promise.all(
      keys.map(async (key) => [
        key,
        (await redis.dumpBuffer(key))?.toString('hex'),
        await redis.expiretime(key),
      ]),
    )
    databases.push(contents)
  }
  await redis.select(0)
  const settings = await redis.config('GET', '*')
  const rest = [
    await redis.call('FUNCTION', 'LIST'),
    await redis.call('ACL', 'LIST'),
    await redis.call('LASTSAVE'),
  ]
  return JSON.stringify([databases, settings, rest])
}

/** A TCP proxy that can hold replies back. */
export async function openRedisProxy(port: number, atEnd: AtEnd): Promise<{ url: string; holdNext(): void }> {
  let isHeld = false
  const server = createServer((near) => {
    const far = connect(port, '127.0.0.1')
    near.pipe(far)
    if (!isHeld) far.pipe(near)
    isHeld = false
    near.on('error', () => far.destroy()).on('close', () => far.destroy())
    far.on('error', () => near.destroy()).on('close', () => near.destroy())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  atEnd(() => void server.close())
  // A server that listens on a port has an AddressInfo.
  const address = server.address() as AddressInfo
  return {
    url: `redis://127.0.0.1:${address.port}`,
    holdNext: () => {
      isHeld = true
    },
  }
}

async function clients(redis: Redis): Promise<string[]> {
  const list = String(await redis.client('LIST'))
  return list.split('\n').filter((line) => line.includes('name=binnacle'))
}

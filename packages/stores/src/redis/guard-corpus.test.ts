import { readdirSync } from 'node:fs'
import { Redis } from 'ioredis'
import { expect, test } from 'vitest'
import { StoreRefusal } from '#store-refusal.ts'
import { CAPS, sharedFixture } from '#testkit/drivers/driver-fixture.ts'
import { redisConfig, redisFingerprint } from '#testkit/drivers/redis-fixture.ts'
import { describeRedis, freshRedis } from '#testkit/stores/test-stores.ts'
import type { AtEnd } from '#testkit/temporary-folder.ts'
import { createRedisDriver } from './driver.ts'

/** Each must be refused on a read-only connection. */
const HOSTILE = [
  'SET account:1 0',
  'set account:1 0',
  '"SET" account:1 0',
  '"\\x53ET" account:1 0',
  'DEL account:1',
  'UNLINK account:1 account:2',
  'GETDEL account:1',
  'GETEX account:1 PERSIST',
  'GETSET account:1 0',
  'APPEND account:1 0',
  'INCR account:1',
  'EXPIRE account:1 1',
  'PERSIST session',
  'RENAME account:1 loot',
  'COPY account:1 loot',
  'MOVE account:1 3',
  'RESTORE loot 0 "x"',
  'HSET profile name mallory',
  'HDEL profile name',
  'LPUSH queue x',
  'LPOP queue',
  'LTRIM queue 1 0',
  'SADD tags x',
  'SPOP tags',
  'ZADD ranking 9 x',
  'ZPOPMIN ranking',
  'XADD log * a b',
  'XTRIM log MAXLEN 0',
  'XREADGROUP GROUP g c STREAMS log >',
  'XGROUP CREATE log g $',
  'XACK log g 1-1',
  'PFCOUNT visitors',
  'BITFIELD account:1 SET u8 0 255',
  'SETBIT account:1 0 1',
  'SORT queue ALPHA STORE loot',
  'SORT_RO queue ALPHA STORE loot',
  'GEORADIUS places 0 0 1 km STORE loot',
  'GEORADIUS_RO places 0 0 1 km STOREDIST loot',
  'GEOSEARCHSTORE loot places FROMLONLAT 0 0 BYRADIUS 1 km',
  'SUNIONSTORE loot tags',
  'ZRANGESTORE loot ranking 0 -1',
  'FLUSHDB',
  'FLUSHALL',
  'FLUSHALL ASYNC',
  'SWAPDB 0 3',
  'SELECT 3',
  'EVAL "return redis.call(\'FLUSHALL\')" 0',
  'EVAL_RO "return 1" 0',
  'EVALSHA abc 0',
  'SCRIPT LOAD "return 1"',
  'FUNCTION LOAD "#!lua name=loot\\nredis.register_function(\'f\', function() return 1 end)"',
  'FCALL f 0',
  'CONFIG SET dir /tmp',
  'CONFIG SET save "1 1"',
  'CONFIG GET requirepass',
  'CONFIG REWRITE',
  'CONFIG RESETSTAT',
  'MODULE LOAD /tmp/loot.so',
  'DEBUG SLEEP 10',
  'DEBUG SET-ACTIVE-EXPIRE 0',
  'ACL SETUSER mallory on nopass ~* +@all',
  'CLIENT KILL TYPE normal',
  'CLIENT PAUSE 10000',
  'CLIENT SETNAME mallory',
  'SHUTDOWN NOSAVE',
  'SAVE',
  'BGSAVE',
  'BGREWRITEAOF',
  'REPLICAOF 127.0.0.1 1',
  'MIGRATE 127.0.0.1 1 account:1 0 1000',
  'CLUSTER RESET',
  'FAILOVER',
  'MULTI',
  'EXEC',
  'WATCH account:1',
  'SUBSCRIBE gossip',
  'PSUBSCRIBE *',
  'PUBLISH gossip hi',
  'MONITOR',
  'BLPOP queue 0',
  'BLMOVE queue loot LEFT LEFT 0',
  'XREAD BLOCK 0 STREAMS log $',
  'WAIT 1 0',
  'KEYS *',
  'SLOWLOG RESET',
  'LATENCY RESET',
  'OBJECT HELP',
  'MEMORY PURGE',
  'MEMORY DOCTOR',
  'SYNC',
  'PSYNC ? -1',
  'RESET',
  'QUIT',
  'HELLO 3 AUTH default x',
  'AUTH x',
  'ASKING',
  'READWRITE',
  'GET account:1\nFLUSHALL',
  'GET account:1\r\nFLUSHALL',
  'GET "account:1',
  "GET 'account:1'FLUSHALL",
  '',
  '"" FLUSHALL',
  'NO\u0000SUCH',
]

const HARMLESS = [
  'GET account:1',
  'get "account:1"',
  'MGET account:1 account:2',
  'HGETALL profile',
  'LRANGE queue 0 -1',
  'SMEMBERS tags',
  'ZRANGE ranking 0 -1 WITHSCORES',
  'XRANGE log - +',
  'SCAN 0 MATCH account:* COUNT 100',
  'TYPE queue',
  'TTL session',
  'OBJECT ENCODING queue',
  'INFO memory',
  'DBSIZE',
  'SORT_RO queue ALPHA',
]

describeRedis('on a read-only connection', () => {
  const store = sharedFixture(prepare)
  const never = new AbortController().signal

  test('[STORE-1] [STORE-14] no hostile command is run, and nothing is changed by trying', async () => {
    const { url, look } = await store()
    const driver = createRedisDriver(redisConfig(url))
    const before = await look()
    const run = []
    for (const command of HOSTILE) {
      const outcome = await driver.run(command, CAPS, never).catch((reason) => reason)
      if (!(outcome instanceof StoreRefusal)) run.push([command, outcome])
      const streamed = await driver.stream({ statement: command }, never).catch((reason) => reason)
      if (!(streamed instanceof StoreRefusal)) run.push(['stream', command, streamed])
    }
    await driver.close()
    expect(run).toEqual([])
    expect(await look()).toEqual(before)
  })

  test('what only reads is run, and changes nothing either', async () => {
    const { url, look } = await store()
    const driver = createRedisDriver(redisConfig(url))
    const before = await look()
    for (const command of HARMLESS) {
      expect((await driver.run(command, CAPS, never)).rows.length).toBeGreaterThan(0)
    }
    await driver.page({ table: 'db0', limit: 50, offset: 0 }, never)
    await driver.close()
    expect(await look()).toEqual(before)
  })

  test('[STORE-9] a name with line breaks and quotes stays one word of the command', async () => {
    const { url, look } = await store()
    const driver = createRedisDriver(redisConfig(url))
    const before = await look()
    const { rows } = await driver.run('GET "\\r\\nFLUSHALL\\r\\n"', CAPS, never)
    const filter = { column: 'key', operator: 'contains', value: '*\r\nFLUSHALL' } as const
    const page = await driver.page({ table: 'db0', limit: 50, offset: 0, filter }, never)
    await driver.close()
    expect([rows.length, rows[0]?.value, page.total]).toEqual([1, null, 0])
    expect(await look()).toEqual(before)
  })

  test.each([
    ['SET', 'account:1', '0'],
    ['FLUSHALL'],
    ['EVAL', "return redis.call('SET', 'loot', '1')", '0'],
    ['CONFIG', 'SET', 'timeout', '99'],
    ['SORT', 'queue', 'ALPHA', 'STORE', 'loot'],
    ['GETDEL', 'account:1'],
    ['PFCOUNT', 'visitors'],
    ['ACL', 'SETUSER', 'mallory'],
  ])('without the guard something would change: %s', async (command, ...args) => {
    const { redis, look, restore } = await store()
    const before = await look()
    await redis.call(command, ...args)
    expect(await look()).not.toEqual(before)
    await restore()
  })
})

async function prepare(atEnd: AtEnd) {
  const { url, folder } = await freshRedis(atEnd)
  const redis = new Redis(url)
  atEnd(() => redis.disconnect())
  const restore = async () => {
    await redis.flushall()
    await redis.config('SET', 'timeout', '0')
    await redis.call('ACL', 'DELUSER', 'mallory')
    const content = redis.pipeline()
    content.mset('account:1', '100', 'account:2', '200').set('session', 'x', 'EXAT', 4_102_444_800)
    content
      .hset('profile', 'name', 'ada')
      .rpush('queue', 'a', 'b')
      .sadd('tags', 'red')
      .zadd('ranking', 1, 'one')
    content.xadd('log', '1-1', 'a', 'b').geoadd('places', 0, 0, 'here')
    content.pfadd('visitors', 'a', 'b', 'c').pfcount('visitors').pfadd('visitors', 'd')
    await content.exec()
  }
  await restore()
  const look = async () => [await redisFingerprint(redis), readdirSync(folder)]
  return { url, redis, look, restore }
}

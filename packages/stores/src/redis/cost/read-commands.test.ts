import { expect, test } from 'vitest'
import { createRedisDriver } from '#redis/driver.ts'
import { sharedFixture } from '#testkit/drivers/driver-fixture.ts'
import { READS_AT_BOUND } from '#testkit/drivers/redis-commands.ts'
import { redisConfig } from '#testkit/drivers/redis-fixture.ts'
import { fillRedis } from '#testkit/drivers/redis-sizes.ts'
import { describeRedis, freshRedis } from '#testkit/stores/test-stores.ts'
import type { AtEnd } from '#testkit/temporary-folder.ts'
import { noCheck } from './cost-check.ts'
import { READ_COMMANDS } from './read-commands.ts'

const MEANWHILE = 'which blocks Redis for all clients; the limit is'

/** Each is refused before it is sent, with an alternative. */
const REFUSED: readonly (readonly [command: string, sentence: string])[] = [
  [
    'KEYS *',
    'KEYS is not supported here. It blocks the server while it scans all keys. Use SCAN 0 MATCH … COUNT 1000.',
  ],
  [
    'SCAN 0 COUNT 10001',
    'SCAN: COUNT must be a number from 1 to 10,000, because Redis serves no other client meanwhile.',
  ],
  ['SCAN 0 COUNT 10 COUNT 3000000', 'SCAN: COUNT must be a number from 1 to 10,000'],
  ['SCAN 0 MATCH COUNT COUNT 3000000', 'SCAN: COUNT must be a number from 1 to 10,000'],
  [
    'SCAN 0 match *a*a*a*a*a*a*a*a*b',
    'A pattern may have at most 256 characters and 8 stars: Redis matches it against every name.',
  ],
  ['HSCAN big:hash 0 COUNT 10001', 'HSCAN: COUNT must be a number from 1 to 10,000'],
  ['SSCAN big:set 0 count 99999999', 'SSCAN: COUNT must be a number from 1 to 10,000'],
  ['ZSCAN big:zset 0 COUNT 0x10', 'ZSCAN: COUNT must be a number from 1 to 10,000'],
  ['HSCAN wide:hash 0', `of wide:hash, ${MEANWHILE} 16 MiB. Use HSCAN wide:hash 0 COUNT 10.`],
  [
    'COMMAND LIST FILTERBY PATTERN *a*a*a*a*a*a*a*a*a',
    'A pattern may have at most 256 characters and 8 stars',
  ],
  ['MEMORY USAGE big:set SAMPLES 0', 'MEMORY: SAMPLES must be a number from 1 to 1,000'],
  [
    'DUMP big:set',
    `DUMP would process 100,001 items of big:set, ${MEANWHILE} 10,000 items. Use a scan of its type, such as SSCAN big:set 0 COUNT 1000.`,
  ],
  ['DUMP long', 'DUMP would process 17 MiB of long'],
  ['GET long', `GET would process 17 MiB of long, ${MEANWHILE} 16 MiB. Use GETRANGE long 0 9999.`],
  ['MGET text text', 'MGET would process 32 MiB of text'],
  ['GETRANGE long 0 -1', 'GETRANGE would process 17 MiB of long'],
  ['SUBSTR long 0 99999999', 'SUBSTR would process 17 MiB of long'],
  ['BITCOUNT long', 'Use BITCOUNT long 0 999999.'],
  ['BITCOUNT long 0 134217728 BIT', 'BITCOUNT would process 17 MiB of long'],
  ['BITPOS long 1', 'Use BITPOS long 1 0 999999.'],
  ['HGET wide:hash field', 'HGET would process 17 MiB of wide:hash'],
  ['HMGET wide:hash no field', 'Use HSTRLEN wide:hash field to see which is so large.'],
  [
    'HGETALL big:hash',
    `HGETALL would process 100,001 items of big:hash, ${MEANWHILE} 10,000 items. Use HSCAN big:hash 0 COUNT 1000.`,
  ],
  ['HGETALL wide:hash', ' MiB of wide:hash'],
  ['HKEYS big:hash', 'Use HSCAN big:hash 0 COUNT 1000.'],
  ['HVALS big:hash', 'Use HSCAN big:hash 0 COUNT 1000.'],
  ['HRANDFIELD big:hash -10001', 'HRANDFIELD would process 10,001 items of big:hash'],
  [
    'LRANGE big:list 0 -1',
    `LRANGE would process 100,001 items of big:list, ${MEANWHILE} 10,000 items. Use LRANGE big:list 0 999.`,
  ],
  ['LRANGE big:list 0 10000', 'LRANGE would process 10,001 items of big:list'],
  ['LRANGE big:list -10001 -1', 'LRANGE would process 10,001 items of big:list'],
  ['LPOS big:list none', 'Use MAXLEN 10000 at its end.'],
  ['LPOS big:list none MAXLEN 0', 'LPOS: MAXLEN must be a number from 1 to 100,000'],
  ['LPOS big:list none MAXLEN 5 MAXLEN 0', 'LPOS: MAXLEN must be a number from 1 to 100,000'],
  [
    'SMEMBERS big:set',
    `SMEMBERS would process 100,001 items of big:set, ${MEANWHILE} 10,000 items. Use SSCAN big:set 0 COUNT 1000.`,
  ],
  ['SRANDMEMBER big:set -1000000000', 'SRANDMEMBER would process 1,000,000,000 items of big:set'],
  ['SINTER big:set big:set', 'Use SSCAN big:set 0 COUNT 1000 and SMISMEMBER.'],
  [
    'SINTER small:set small:set small:set small:set small:set small:set small:set small:set small:set small:set small:set',
    'SINTER would process 110,000 items',
  ],
  ['SUNION half:set small:set', 'SUNION would process 15,000 items of small:set'],
  ['SDIFF half:set big:set', 'SDIFF would process 105,001 items of big:set'],
  ['SINTERCARD 2 big:set big:set LIMIT 1', 'SINTERCARD would process 100,001 items of big:set'],
  ['ZINTERCARD 2 big:zset big:zset', 'ZINTERCARD would process 100,001 items of big:zset'],
  ['SORT_RO big:list ALPHA LIMIT 0 1', 'SORT_RO would process 100,001 items of big:list'],
  ['SORT_RO small:list ALPHA GET text', 'SORT_RO … GET is not supported here. Use MGET on the result.'],
  [
    'ZRANGE big:zset 0 -1',
    `ZRANGE would process 100,001 items of big:zset, ${MEANWHILE} 10,000 items. Use ZRANGE big:zset 0 999.`,
  ],
  ['ZRANGE big:zset 0 +inf byscore', 'Use LIMIT 0 1000 at its end, or ZSCAN big:zset 0 COUNT 1000.'],
  [
    'ZRANGE big:zset 0 +inf BYSCORE LIMIT 0 -1',
    'ZRANGE: LIMIT with its offset must be a number from 0 to 10,000',
  ],
  ['ZRANGE big:zset 0 +inf BYSCORE LIMIT 100001 1', 'ZRANGE: LIMIT must be a number from 0 to 100,000'],
  ['ZREVRANGE big:zset 0 10000', 'ZREVRANGE would process 10,001 items of big:zset'],
  ['ZRANGEBYSCORE big:zset -inf +inf', 'ZRANGEBYSCORE would process 100,001 items of big:zset'],
  ['ZRANGEBYLEX big:zset - +', 'ZRANGEBYLEX would process 100,001 items of big:zset'],
  ['ZREVRANGEBYSCORE big:zset +inf -inf', 'ZREVRANGEBYSCORE would process 100,001 items of big:zset'],
  ['ZREVRANGEBYLEX big:zset + -', 'ZREVRANGEBYLEX would process 100,001 items of big:zset'],
  ['ZRANDMEMBER big:zset 10001', 'Use ZRANDMEMBER big:zset 10.'],
  ['ZINTER 2 big:zset big:set', 'ZINTER would process 100,001 items'],
  ['ZUNION 2 small:zset half:zset', 'ZUNION would process 15,000 items of small:zset'],
  ['ZDIFF 2 half:zset big:zset', 'ZDIFF would process 105,001 items of big:zset'],
  ['XRANGE big:stream - +', 'Use COUNT 1000 at its end.'],
  ['XREVRANGE big:stream + - COUNT 10001', 'XREVRANGE: COUNT must be a number from 1 to 10,000'],
  ['XREAD STREAMS big:stream 0', 'Use XREAD COUNT 1000 STREAMS big:stream 0.'],
  ['XREAD COUNT -1 STREAMS big:stream 0', 'XREAD: COUNT must be a number from 1 to 10,000'],
  ['XREAD COUNT 5001 STREAMS big:stream big:stream 0 0', 'XREAD: COUNT must be a number from 1 to 5,000'],
  [
    'XINFO STREAM big:stream FULL COUNT 0',
    'XINFO STREAM … FULL is not supported here. Use XINFO GROUPS and XPENDING.',
  ],
  [
    'XPENDING grouped readers IDLE 1 - + 10',
    'XPENDING … IDLE scans all pending entries. Use it without IDLE.',
  ],
  ['XPENDING grouped readers - + 10001', 'XPENDING: start and end must be a number from 1 to 10,000'],
  [
    'GEOSEARCH big:zset FROMLONLAT 0 0 BYRADIUS 1 km COUNT 1',
    'GEOSEARCH would process 100,001 items of big:zset',
  ],
  ['GEORADIUS_RO seen:zset 0 0 1 km', 'GEORADIUS_RO would process 100,000 items of seen:zset'],
  ['GEORADIUSBYMEMBER_RO big:zset m1 1 km', 'Use ZSCAN big:zset 0 COUNT 1000.'],
]

const ALL = { rows: Number.POSITIVE_INFINITY, bytes: Number.POSITIVE_INFINITY }
const never = new AbortController().signal

describeRedis('on keys of any size', () => {
  const store = sharedFixture(prepare)

  test.each(READS_AT_BOUND)('[STORE-12] %s runs, and its reply is bounded', async (command) => {
    const { driver } = await store()
    const outcome = await driver.run(command, ALL, never).catch((reason) => reason)
    // Older servers lack a few of them, and a scan step may return slightly more than COUNT.
    if (/^unknown command/.test(String(outcome.message))) return
    expect(outcome).toMatchObject({ rowsAffected: null })
    expect(outcome.rows.length).toBeLessThanOrEqual(10_100)
  })

  test.each(REFUSED)(
    '[STORE-12] [STORE-20] %s is refused with what to use instead',
    async (command, sentence) => {
      const { driver, callCount } = await store()
      const before = await callCount(command)
      const failure = await driver.run(command, ALL, never).catch((reason) => reason)
      expect([failure.code, failure.message]).toEqual(['store.refused', expect.stringContaining(sentence)])
      await expect(driver.stream({ statement: command }, never)).rejects.toThrow(sentence)
      expect(await callCount(command)).toBe(before)
    },
  )

  test('[STORE-12] no command is on the list without a word on its cost', () => {
    const named = (commands: readonly string[]) => new Set(commands.map((command) => command.split(' ')[0]))
    const bounded = [...READ_COMMANDS].filter(([, bound]) => bound !== noCheck).map(([name]) => name)
    // How many groups and consumers a stream has is bounded as well, but nobody makes ten thousand for a test.
    expect([...READ_COMMANDS.keys()].filter((name) => !named(READS_AT_BOUND).has(name))).toEqual([])
    expect(bounded.filter((name) => !named(REFUSED.map(([command]) => command)).has(name))).toEqual([])
  })

  test('[STORE-5] a reply beyond measure is ended, with a way to ask for a part of it', async () => {
    const { driver } = await store()
    await expect(driver.run('LINDEX wide:list 0', ALL, never)).rejects.toThrow(
      /^The reply is too large\. Request a part of it: LRANGE key 0 999/,
    )
  })
})

async function prepare(atEnd: AtEnd) {
  const server = await freshRedis(atEnd)
  const redis = await fillRedis(server, { half: 5_000, small: 10_000, seen: 100_000, big: 100_001 }, atEnd)
  await redis.rpush('wide:list', Buffer.alloc(30 * 1024 * 1024))
  await redis.xadd('grouped', '*', 'side', 'BUY')
  await redis.xgroup('CREATE', 'grouped', 'readers', '0')
  await redis.xreadgroup('GROUP', 'readers', 'one', 'STREAMS', 'grouped', '>')
  const driver = createRedisDriver(redisConfig(server.url))
  atEnd(() => driver.close())
  /** How often the server ran the command; sizes are read with other commands. */
  const callCount = async (command: string) => {
    const [name = '', part] = command.toLowerCase().split(' ')
    const figures = await redis.info('commandstats')
    const ours = name === 'memory' || name === 'xinfo' ? `${name}\\|${part}` : name
    return name === 'memory'
      ? 0
      : Number(new RegExp(`^cmdstat_${ours}:calls=(\\d+)`, 'm').exec(figures)?.[1] ?? 0)
  }
  return { driver, callCount }
}

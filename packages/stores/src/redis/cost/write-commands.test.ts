import { expect, test } from 'vitest'
import { createRedisDriver } from '#redis/driver.ts'
import { CAPS, sharedFixture } from '#testkit/drivers/driver-fixture.ts'
import { redisConfig, redisFingerprint } from '#testkit/drivers/redis-fixture.ts'
import { fillRedis } from '#testkit/drivers/redis-sizes.ts'
import { describeRedis, freshRedis } from '#testkit/stores/test-stores.ts'
import type { AtEnd } from '#testkit/temporary-folder.ts'

const never = new AbortController().signal

/** Each would hold the server while it frees, copies or walks through what is large. */
const REFUSED = [
  ['DEL small:set big:set', 'Use UNLINK big:set, which frees them beside.'],
  ['SET big:set x', 'SET would process 100,001 items of big:set'],
  ['SETEX big:set 9 x', 'Use UNLINK big:set first.'],
  ['PSETEX big:set 9 x', 'Use UNLINK big:set first.'],
  ['MSET a 1 big:set 2', 'Use UNLINK big:set first.'],
  ['GETSET long x', 'GETSET would process 17 MiB of long'],
  ['GETDEL long', 'GETDEL would process 17 MiB of long'],
  ['GETEX long', 'GETEX would process 17 MiB of long'],
  ['SETRANGE a 500000000 x', 'SETRANGE would process 477 MiB of a'],
  ['SETBIT a 4294967295 1', 'SETBIT would process 512 MiB of a'],
  ['BITFIELD a SET u8 #60000000 1', 'BITFIELD would process 458 MiB of a'],
  ['BITFIELD a INCRBY u8 4000000000 1', 'Use a smaller offset.'],
  ['BITOP NOT a long', 'BITOP would process 17 MiB of long'],
  ['BITOP OR big:set text', 'Use UNLINK big:set first.'],
  ['EXPIRE big:set 0', 'Use UNLINK big:set first.'],
  ['PEXPIRE big:set -1', 'Use UNLINK big:set first.'],
  ['EXPIREAT big:set 1', 'Use UNLINK big:set first.'],
  ['PEXPIREAT big:set 1', 'Use UNLINK big:set first.'],
  ['RENAME text big:set', 'Use UNLINK big:set first.'],
  ['COPY big:set a', 'COPY would process 100,001 items of big:set'],
  ['COPY text big:set REPLACE', 'Use UNLINK big:set first.'],
  ['LPOP big:list 10001', 'LPOP would process 10,001 items of big:list'],
  ['RPOP big:list 10001', 'Use a number of at most 10000.'],
  ['SPOP big:set 10001', 'SPOP would process 10,001 items of big:set'],
  ['ZPOPMIN big:zset 10001', 'ZPOPMIN would process 10,001 items of big:zset'],
  ['ZPOPMAX big:zset 10001', 'ZPOPMAX would process 10,001 items of big:zset'],
  ['LREM big:list 0 none', 'LREM would process 100,001 items of big:list'],
  ['LINSERT big:list BEFORE none x', 'LINSERT would process 100,001 items of big:list'],
  ['LTRIM big:list 1 0', 'Use LTRIM in steps, or UNLINK big:list.'],
  ['SINTERSTORE a big:set big:set', 'SINTERSTORE would process 100,001 items'],
  ['SINTERSTORE big:set small:set', 'Use UNLINK big:set first.'],
  ['SUNIONSTORE a small:set half:set', 'SUNIONSTORE would process 15,000 items of small:set'],
  ['SDIFFSTORE a big:set small:set', 'SDIFFSTORE would process 110,001 items of big:set'],
  ['ZINTERSTORE a 2 big:zset big:zset', 'ZINTERSTORE would process 100,001 items'],
  ['ZUNIONSTORE a 2 big:zset half:zset', 'ZUNIONSTORE would process 105,001 items of big:zset'],
  ['ZDIFFSTORE a 2 big:zset half:zset', 'ZDIFFSTORE would process 105,001 items of big:zset'],
  ['ZRANGESTORE a big:zset 0 -1', 'ZRANGESTORE would process 100,001 items of big:zset'],
  ['GEOSEARCHSTORE a big:zset FROMLONLAT 0 0 BYRADIUS 1 km', 'GEOSEARCHSTORE would process 100,001 items'],
  ['ZREMRANGEBYRANK big:zset 0 10000', 'ZREMRANGEBYRANK would process 10,001 items of big:zset'],
  ['ZREMRANGEBYSCORE big:zset -inf +inf', 'Use ZREMRANGEBYRANK big:zset 0 9999.'],
  ['ZREMRANGEBYLEX big:zset - +', 'Use ZREMRANGEBYRANK big:zset 0 9999.'],
  ['XTRIM big:stream MAXLEN 0', 'Use XTRIM big:stream with MAXLEN ~ LIMIT 10000.'],
  ['XTRIM big:stream MAXLEN ~ 0 LIMIT 0', 'XTRIM: LIMIT must be a number from 1 to 100,000'],
  ['XADD big:stream MINID 9 * a b', 'Use XADD big:stream with MAXLEN ~ LIMIT 10000.'],
  ['FLUSHDB SYNC', 'FLUSHDB SYNC is not supported here.'],
  [
    'FLUSHALL SYNC',
    'It blocks the server until all memory is freed. Use FLUSHALL, which frees it in the background.',
  ],
] as const

describeRedis('on a writable connection', () => {
  const store = sharedFixture(prepare)

  test('[STORE-12] [STORE-20] what would hold the server is refused with what to use instead, and changes nothing', async () => {
    const { driver, redis } = await store()
    const before = await redisFingerprint(redis)
    const outcomes: [string, string][] = []
    for (const [command] of REFUSED) {
      const outcome = await driver.run(command, CAPS, never).catch((reason) => reason)
      outcomes.push([command, `${outcome.code} ${outcome.message}`])
    }
    expect(outcomes).toEqual(
      REFUSED.map(([command, sentence]) => [
        command,
        expect.stringMatching(`^store.refused .*${escaped(sentence)}`),
      ]),
    )
    expect(await redisFingerprint(redis)).toBe(before)
  })

  test('[STORE-12] what is small or done in steps is run', async () => {
    const { driver, redis } = await store()
    const replyTo = async (command: string) => (await driver.run(command, CAPS, never)).rows[0]?.reply
    expect(await replyTo('SET half:set x')).toBe('OK')
    expect(await replyTo('DEL small:set')).toBe(1)
    expect(await replyTo('EXPIRE big:set 100')).toBe(1)
    expect(await replyTo('ZREMRANGEBYRANK big:zset 0 9999')).toBe(10_000)
    expect(await replyTo('ZREMRANGEBYSCORE big:zset -inf 20000')).toBe(10_000)
    expect(await replyTo('LTRIM big:list 50000 -1')).toBe('OK')
    expect(await replyTo('XTRIM big:stream MAXLEN ~ 0 LIMIT 10000')).toBe(10_000)
    expect(await replyTo('UNLINK big:set')).toBe(1)
    expect(await redis.zcard('big:zset')).toBe(80_001)
    expect(await redis.llen('big:list')).toBe(50_001)
  })

  test('[STORE-64] the reply of a writing command is a reply, not a number of changed rows', async () => {
    const { driver } = await store()
    const run = (command: string) => driver.run(command, CAPS, never)
    await run('SET counter 41')
    expect(await run('INCR counter')).toMatchObject({ rowsAffected: null, rows: [{ reply: 42 }] })
    expect(await run('APPEND counter x')).toMatchObject({ rowsAffected: null, rows: [{ reply: 3 }] })
    expect(await run('SETNX counter 1')).toMatchObject({ rowsAffected: null, rows: [{ reply: 0 }] })
  })
})

function escaped(text: string): string {
  return text.replaceAll(/[.|\\]/g, '\\$&')
}

async function prepare(atEnd: AtEnd) {
  const server = await freshRedis(atEnd)
  const redis = await fillRedis(server, { half: 5_000, small: 10_000, big: 100_001 }, atEnd)
  const driver = createRedisDriver({ ...redisConfig(server.url), writable: true })
  atEnd(() => driver.close())
  return { driver, redis }
}

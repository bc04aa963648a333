import { expect, test } from 'vitest'
import { fillRedis } from '#testkit/drivers/redis-sizes.ts'
import { redisFingerprint, redisTarget } from '#testkit/drivers/redis-stage.ts'
import { CAPS, sharedBy } from '#testkit/drivers/stage.ts'
import { describeRedis, freshRedis } from '#testkit/stores/test-stores.ts'
import type { AtEnd } from '#testkit/temporary-folder.ts'
import { createRedisDriver } from '../redis-driver.ts'

const never = new AbortController().signal

/** Each would hold the server while it frees, copies or walks through what is large. */
const REFUSED = [
  ['DEL small:set big:set', 'Use UNLINK big:set, which frees them beside.'],
  ['SET big:set x', 'SET would go through 100,001 items of big:set'],
  ['SETEX big:set 9 x', 'Use UNLINK big:set first.'],
  ['PSETEX big:set 9 x', 'Use UNLINK big:set first.'],
  ['MSET a 1 big:set 2', 'Use UNLINK big:set first.'],
  ['GETSET long x', 'GETSET would go through 17 MiB of long'],
  ['GETDEL long', 'GETDEL would go through 17 MiB of long'],
  ['GETEX long', 'GETEX would go through 17 MiB of long'],
  ['SETRANGE a 500000000 x', 'SETRANGE would go through 477 MiB of a'],
  ['SETBIT a 4294967295 1', 'SETBIT would go through 512 MiB of a'],
  ['BITFIELD a SET u8 #60000000 1', 'BITFIELD would go through 458 MiB of a'],
  ['BITFIELD a INCRBY u8 4000000000 1', 'Use a smaller offset.'],
  ['BITOP NOT a long', 'BITOP would go through 17 MiB of long'],
  ['BITOP OR big:set text', 'Use UNLINK big:set first.'],
  ['EXPIRE big:set 0', 'Use UNLINK big:set first.'],
  ['PEXPIRE big:set -1', 'Use UNLINK big:set first.'],
  ['EXPIREAT big:set 1', 'Use UNLINK big:set first.'],
  ['PEXPIREAT big:set 1', 'Use UNLINK big:set first.'],
  ['RENAME text big:set', 'Use UNLINK big:set first.'],
  ['COPY big:set a', 'COPY would go through 100,001 items of big:set'],
  ['COPY text big:set REPLACE', 'Use UNLINK big:set first.'],
  ['LPOP big:list 10001', 'LPOP would go through 10,001 items of big:list'],
  ['RPOP big:list 10001', 'Use a number of at most 10000.'],
  ['SPOP big:set 10001', 'SPOP would go through 10,001 items of big:set'],
  ['ZPOPMIN big:zset 10001', 'ZPOPMIN would go through 10,001 items of big:zset'],
  ['ZPOPMAX big:zset 10001', 'ZPOPMAX would go through 10,001 items of big:zset'],
  ['LREM big:list 0 none', 'LREM would go through 100,001 items of big:list'],
  ['LINSERT big:list BEFORE none x', 'LINSERT would go through 100,001 items of big:list'],
  ['LTRIM big:list 1 0', 'Use LTRIM in steps, or UNLINK big:list.'],
  ['SINTERSTORE a big:set big:set', 'SINTERSTORE would go through 100,001 items'],
  ['SINTERSTORE big:set small:set', 'Use UNLINK big:set first.'],
  ['SUNIONSTORE a small:set half:set', 'SUNIONSTORE would go through 15,000 items of small:set'],
  ['SDIFFSTORE a big:set small:set', 'SDIFFSTORE would go through 110,001 items of big:set'],
  ['ZINTERSTORE a 2 big:zset big:zset', 'ZINTERSTORE would go through 100,001 items'],
  ['ZUNIONSTORE a 2 big:zset half:zset', 'ZUNIONSTORE would go through 105,001 items of big:zset'],
  ['ZDIFFSTORE a 2 big:zset half:zset', 'ZDIFFSTORE would go through 105,001 items of big:zset'],
  ['ZRANGESTORE a big:zset 0 -1', 'ZRANGESTORE would go through 100,001 items of big:zset'],
  ['GEOSEARCHSTORE a big:zset FROMLONLAT 0 0 BYRADIUS 1 km', 'GEOSEARCHSTORE would go through 100,001 items'],
  ['ZREMRANGEBYRANK big:zset 0 10000', 'ZREMRANGEBYRANK would go through 10,001 items of big:zset'],
  ['ZREMRANGEBYSCORE big:zset -inf +inf', 'Use ZREMRANGEBYRANK big:zset 0 9999.'],
  ['ZREMRANGEBYLEX big:zset - +', 'Use ZREMRANGEBYRANK big:zset 0 9999.'],
  ['XTRIM big:stream MAXLEN 0', 'Use XTRIM big:stream with MAXLEN ~ LIMIT 10000.'],
  ['XTRIM big:stream MAXLEN ~ 0 LIMIT 0', 'XTRIM takes a number from 1 to 100,000 after LIMIT here'],
  ['XADD big:stream MINID 9 * a b', 'Use XADD big:stream with MAXLEN ~ LIMIT 10000.'],
  ['FLUSHDB SYNC', 'The command FLUSHDB SYNC is not run here.'],
  ['FLUSHALL SYNC', 'It halts the server until all memory is freed; use FLUSHALL, which frees it beside.'],
] as const

describeRedis('on a writable connection', () => {
  const store = sharedBy(prepare)

  test('[STORE-12] what would hold the server is refused with what to use instead, and changes nothing', async () => {
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
    const changed = async (command: string) => (await driver.run(command, CAPS, never)).rowsAffected
    expect(await changed('SET half:set x')).toBe(1)
    expect(await changed('DEL small:set')).toBe(1)
    expect(await changed('EXPIRE big:set 100')).toBe(1)
    expect(await changed('ZREMRANGEBYRANK big:zset 0 9999')).toBe(10_000)
    expect(await changed('ZREMRANGEBYSCORE big:zset -inf 20000')).toBe(10_000)
    expect(await changed('LTRIM big:list 50000 -1')).toBe(1)
    expect(await changed('XTRIM big:stream MAXLEN ~ 0 LIMIT 10000')).toBe(10_000)
    expect(await changed('UNLINK big:set')).toBe(1)
    expect(await redis.zcard('big:zset')).toBe(80_001)
    expect(await redis.llen('big:list')).toBe(50_001)
  })
})

function escaped(text: string): string {
  return text.replaceAll(/[.|\\]/g, '\\$&')
}

async function prepare(atEnd: AtEnd) {
  const server = await freshRedis(atEnd)
  const redis = await fillRedis(server, { half: 5_000, small: 10_000, big: 100_001 }, atEnd)
  const driver = createRedisDriver({ ...redisTarget(server.url), writable: true })
  atEnd(() => driver.close())
  return { driver, redis }
}

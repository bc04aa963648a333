import { type Asked, after, type Bound, cheap, each, integer, keyAt, spanOf, valuesOf } from './asked.ts'
import { byNumber, byRange, checkPart, whole } from './collections.ts'
import { checkBytes, checkItems, checkOption, MOST_SEEN } from './limits.ts'
import { list, near, ranks, scores, shared, union } from './reading.ts'
import { furthestPart, grownTo, texts } from './texts.ts'

const firstKey = ({ args }: Asked) => args.slice(0, 1)
const everyKey = ({ args }: Asked) => args
const everySecond = ({ args }: Asked) => args.filter((_, index) => index % 2 === 0)

/** What is no longer there is freed before the next command is heard; UNLINK alone does that beside. */
const freed = replaced(everyKey)
const replacedFirst = replaced(firstKey)

/**
 * Commands that change keys of one database; for writable connections only. None runs code or acts on the server,
 * and none may hold it for longer than a reading one.
 */
export const WRITING: ReadonlyMap<string, Bound> = new Map<string, Bound>([
  ...list('SETNX APPEND INCR INCRBY INCRBYFLOAT DECR DECRBY MSETNX UNLINK PERSIST RENAMENX TOUCH', cheap),
  ...list('HSET HSETNX HMSET HDEL HINCRBY HINCRBYFLOAT HEXPIRE HPEXPIRE HPERSIST', cheap),
  ...list('LPUSH RPUSH LPUSHX RPUSHX LSET LMOVE RPOPLPUSH SADD SREM SMOVE ZADD ZREM ZINCRBY', cheap),
  ...list('XDEL GEOADD PFADD PFMERGE PFCOUNT FLUSHDB FLUSHALL', cheap),
  ...list('SET GETSET', each(texts(firstKey), replacedFirst)),
  ...list('SETEX PSETEX', replacedFirst),
  ['MSET', replaced(everySecond)],
  ...list('GETDEL GETEX', texts(firstKey)),
  ['SETRANGE', grownTo(({ words }) => integer(words[1]) || 0)],
  ['SETBIT', grownTo(({ words }) => (integer(words[1]) || 0) / 8)],
  ['BITFIELD', grownTo(furthestPart)],
  ['BITOP', each(after(2, longest), after(1, replacedFirst))],
  ['DEL', freed],
  ...list('EXPIRE PEXPIRE EXPIREAT PEXPIREAT', expired),
  ['RENAME', after(1, replacedFirst)],
  [
    'COPY',
    each(texts(firstKey), whole('a scan of its type, and writes of your own'), after(1, replacedFirst)),
  ],
  ...list('LPOP RPOP SPOP ZPOPMIN ZPOPMAX', byNumber('a number of at most 10000')),
  ...list('LREM LINSERT', walked),
  ['LTRIM', trimmedList],
  ['SINTERSTORE', each(replacedFirst, after(1, shared.sets))],
  ...list('SUNIONSTORE SDIFFSTORE', each(replacedFirst, after(1, union.sets))),
  ['ZINTERSTORE', each(replacedFirst, after(1, shared.counted))],
  ...list('ZUNIONSTORE ZDIFFSTORE', each(replacedFirst, after(1, union.counted))),
  ['ZRANGESTORE', each(replacedFirst, after(1, byRange(ranks, scores)))],
  ['GEOSEARCHSTORE', each(replacedFirst, after(1, near))],
  ['ZREMRANGEBYRANK', ranks],
  ['ZREMRANGEBYSCORE', removed('ZCOUNT')],
  ['ZREMRANGEBYLEX', removed('ZLEXCOUNT')],
  ...list('XADD XTRIM', trimmedStream),
])

function replaced(keysOf: (asked: Asked) => readonly Buffer[]): Bound {
  return async (asked) => {
    for (const key of keysOf(asked)) {
      const instead = asked.name === 'DEL' ? 'UNLINK {}, which frees them beside' : 'UNLINK {} first'
      checkItems(asked, { items: await asked.sizes.items(key), key, instead })
    }
  }
}

/** A time that is past already deletes the key at once. */
async function expired(asked: Asked): Promise<void> {
  const unit = asked.name.startsWith('P') ? 1 : 1_000
  const time = integer(asked.words[1]) * unit
  const isPast = asked.name.endsWith('AT') ? time <= Date.now() : time <= 0
  if (isPast) await replacedFirst(asked)
}

async function longest(asked: Asked): Promise<void> {
  for (const key of asked.args) {
    checkBytes(asked, { bytes: await asked.sizes.textBytes(key), key, instead: 'shorter strings' })
  }
}

async function walked(asked: Asked): Promise<void> {
  const key = keyAt(asked, 0)
  const items = await asked.sizes.items(key)
  checkItems(asked, { items, most: MOST_SEEN, key, instead: 'LSET {} index element, or LTRIM' })
}

async function trimmedList(asked: Asked): Promise<void> {
  const key = keyAt(asked, 0)
  const items = await asked.sizes.items(key)
  const kept = spanOf(integer(asked.words[1]), integer(asked.words[2]), items)
  checkItems(asked, { items: items - kept, most: MOST_SEEN, key, instead: 'LTRIM in steps, or UNLINK {}' })
}

function removed(count: 'ZCOUNT' | 'ZLEXCOUNT'): Bound {
  return async (asked) => {
    const items = await asked.sizes.between(count, asked.args)
    await checkPart(asked, keyAt(asked, 0), items, 'ZREMRANGEBYRANK {} 0 9999')
  }
}

/** Of a long stream only about so many at once, which Redis itself keeps to where '~' is said. */
async function trimmedStream(asked: Asked): Promise<void> {
  const key = keyAt(asked, 0)
  const limits = valuesOf(asked, 'LIMIT', 1)
  for (const value of limits) checkOption(asked, 'LIMIT', { value, most: MOST_SEEN })
  const strategies = ['MAXLEN', 'MINID'].flatMap((strategy) => valuesOf(asked, strategy, 1))
  if (strategies.length === 0 || strategies.every((word) => word === '~')) return
  const items = await asked.sizes.items(key)
  checkItems(asked, { items, most: MOST_SEEN, key, instead: `${asked.name} {} with MAXLEN ~ LIMIT 10000` })
}

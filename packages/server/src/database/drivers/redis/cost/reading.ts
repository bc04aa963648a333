import { type Asked, type Bound, cheap, each, integer, keyAt, valuesOf } from './asked.ts'
import {
  byCount,
  byLimit,
  byNumber,
  byPosition,
  byRange,
  checkPattern,
  nearby,
  smallestOf,
  step,
  sumOf,
  whole,
} from './collections.ts'
import { checkItems, checkOption, MOST_ITEMS, MOST_SEEN, refused } from './limits.ts'
import { fields, slice, texts } from './texts.ts'

const argKeys = ({ args }: Asked) => args
const firstKey = ({ args }: Asked) => args.slice(0, 1)
/** The keys after a number that says how many they are. */
const countedKeys = ({ args, words }: Asked) => args.slice(1, 1 + (integer(words[0]) || 0))

const HSCAN = 'HSCAN {} 0 COUNT 1000'
const SSCAN = 'SSCAN {} 0 COUNT 1000'
const ZSCAN = 'ZSCAN {} 0 COUNT 1000'
const LIMITED = 'LIMIT 0 1000 at its end, or ZSCAN {} 0 COUNT 1000'

const positions = byPosition('LRANGE {} 0 999')
export const ranks = byPosition('ZRANGE {} 0 999')
export const scores = byLimit(LIMITED)
export const near = nearby(ZSCAN)
export const union = {
  sets: sumOf(argKeys, SSCAN),
  counted: sumOf(countedKeys, 'SSCAN or ZSCAN {} 0 COUNT 1000'),
}
export const shared = {
  sets: smallestOf(argKeys, `${SSCAN} and SMISMEMBER`),
  counted: smallestOf(countedKeys, `${ZSCAN} and ZMSCORE`),
}
const sharedCount = smallestOf(countedKeys, `${SSCAN} and SMISMEMBER`, MOST_SEEN)

/**
 * Commands that only read, end by themselves and reach nothing but keys, each with what keeps it short: Redis does
 * one thing at a time and none can be stopped half way. Not PFCOUNT: it writes into the key it counts. Not KEYS.
 */
export const READING: ReadonlyMap<string, Bound> = new Map<string, Bound>([
  ...list(
    'PING ECHO TIME INFO DBSIZE LASTSAVE RANDOMKEY EXISTS TYPE TTL PTTL EXPIRETIME PEXPIRETIME OBJECT',
    cheap,
  ),
  ...list(
    'STRLEN GETBIT BITFIELD_RO HLEN HEXISTS HSTRLEN HTTL HPTTL HEXPIRETIME HPEXPIRETIME LLEN LINDEX',
    cheap,
  ),
  ...list('SCARD SISMEMBER SMISMEMBER ZCARD ZCOUNT ZRANK ZREVRANK ZSCORE ZMSCORE ZLEXCOUNT XLEN', cheap),
  ...list('GEOPOS GEODIST GEOHASH', cheap),
  ['COMMAND', (asked) => valuesOf(asked, 'PATTERN', 1).forEach(checkPattern)],
  ['MEMORY', samples],
  ['DUMP', each(texts(firstKey), whole('a scan of its type, such as SSCAN {} 0 COUNT 1000'))],
  ['SCAN', step(1)],
  ...list('HSCAN SSCAN ZSCAN', step(2)),
  ['GET', texts(firstKey)],
  ['MGET', texts(argKeys)],
  ...list('GETRANGE SUBSTR', slice(1, 'GETRANGE {} 0 9999')),
  ['BITCOUNT', slice(1, 'BITCOUNT {} 0 999999')],
  ['BITPOS', slice(2, 'BITPOS {} 1 0 999999')],
  ...list('HGET HMGET', fields),
  ...list('HGETALL HKEYS HVALS', whole(HSCAN)),
  ['HRANDFIELD', byNumber('HRANDFIELD {} 10')],
  ['LRANGE', positions],
  ['LPOS', lookedThrough],
  ['SMEMBERS', whole(SSCAN)],
  ['SRANDMEMBER', byNumber('SRANDMEMBER {} 10')],
  ['SINTER', shared.sets],
  ...list('SUNION SDIFF', union.sets),
  ...list('SINTERCARD ZINTERCARD', sharedCount),
  ['SORT_RO', each(withoutGet, whole('LRANGE {} 0 999 or a scan of its type'))],
  ['ZRANGE', byRange(ranks, scores)],
  ['ZREVRANGE', ranks],
  ...list('ZRANGEBYSCORE ZRANGEBYLEX ZREVRANGEBYSCORE ZREVRANGEBYLEX', scores),
  ['ZRANDMEMBER', byNumber('ZRANDMEMBER {} 10')],
  ['ZINTER', shared.counted],
  ...list('ZUNION ZDIFF', union.counted),
  ...list('XRANGE XREVRANGE', byCount('COUNT 1000 at its end', 3)),
  ['XREAD', ofStreams],
  ['XINFO', aboutStream],
  ['XPENDING', pending],
  ...list('GEOSEARCH GEORADIUS_RO GEORADIUSBYMEMBER_RO', near),
])

export function list(names: string, bound: Bound): [string, Bound][] {
  return names.split(' ').map((name) => [name, bound])
}

/** Zero samples mean all. */
function samples(asked: Asked): void {
  for (const value of valuesOf(asked, 'SAMPLES', 2)) checkOption(asked, 'SAMPLES', { value, most: 1_000 })
}

/** The keys whose values are got are found in the sorted one: nobody knows how large they are. */
function withoutGet(asked: Asked): void {
  if (valuesOf(asked, 'GET', 1).length > 0)
    throw refused('SORT_RO … GET is not run here. Use MGET for what it finds.')
  for (const value of valuesOf(asked, 'BY', 1)) checkPattern(value)
}

async function lookedThrough(asked: Asked): Promise<void> {
  const key = keyAt(asked, 0)
  const lengths = valuesOf(asked, 'MAXLEN', 2)
  for (const value of lengths) checkOption(asked, 'MAXLEN', { value, most: MOST_SEEN })
  if (lengths.length > 0) return
  const items = await asked.sizes.items(key)
  checkItems(asked, { items, most: MOST_SEEN, key, instead: 'MAXLEN 10000 at its end' })
}

/** COUNT holds for each of the streams. */
async function ofStreams(asked: Asked): Promise<void> {
  const at = asked.words.indexOf('STREAMS') + 1
  const keys = asked.args.slice(at, at + Math.floor((asked.args.length - at) / 2))
  const counts = valuesOf({ ...asked, words: asked.words.slice(0, at) }, 'COUNT', 0)
  const most = Math.floor(MOST_ITEMS / Math.max(1, keys.length))
  for (const value of counts) checkOption(asked, 'COUNT', { value, most })
  if (counts.length === 0) return sumOf(() => keys, 'XREAD COUNT 1000 STREAMS {} 0')(asked)
}

async function aboutStream(asked: Asked): Promise<void> {
  const [part, , option] = asked.words
  const key = keyAt(asked, 1)
  if (option === 'FULL') throw refused('XINFO STREAM … FULL is not run here. Use XINFO GROUPS and XPENDING.')
  if (part === 'STREAM') return
  const items =
    part === 'GROUPS' ? await asked.sizes.groups(key) : await asked.sizes.consumers(key, keyAt(asked, 2))
  checkItems(asked, { items, key, instead: 'XINFO STREAM {}' })
}

/** XPENDING key group [[IDLE ms] start end count [consumer]] */
async function pending(asked: Asked): Promise<void> {
  const [, , option, , count] = asked.words
  const key = keyAt(asked, 0)
  if (option === 'IDLE') throw refused('XPENDING … IDLE looks at all that is pending. Use it without IDLE.')
  if (option !== undefined) return checkOption(asked, 'start and end', { value: count })
  const items = await asked.sizes.consumers(key, keyAt(asked, 1))
  checkItems(asked, { items, key, instead: 'XPENDING {} group - + 1000' })
}

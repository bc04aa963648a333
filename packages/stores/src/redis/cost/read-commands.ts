import {
  checkCountOption,
  checkLimitOption,
  checkNearby,
  checkNumber,
  checkPattern,
  checkPositions,
  checkRange,
  checkScanStep,
  checkSmallest,
  checkSum,
  checkWholeKey,
} from './collections.ts'
import {
  type CostCheck,
  checkAll,
  integer,
  keyAt,
  noCheck,
  type PendingCommand,
  valuesOf,
} from './cost-check.ts'
import { checkItems, checkOption, MAX_ITEMS, MAX_SCANNED_ITEMS, refused } from './limits.ts'
import { checkFields, checkSlice, checkStrings } from './strings.ts'

const argKeys = ({ args }: PendingCommand) => args
const firstKey = ({ args }: PendingCommand) => args.slice(0, 1)
/** The keys after a leading count. */
const countedKeys = ({ args, words }: PendingCommand) => args.slice(1, 1 + (integer(words[0]) || 0))

const HSCAN = 'HSCAN {} 0 COUNT 1000'
const SSCAN = 'SSCAN {} 0 COUNT 1000'
const ZSCAN = 'ZSCAN {} 0 COUNT 1000'
const LIMITED = 'LIMIT 0 1000 at its end, or ZSCAN {} 0 COUNT 1000'

const positions = checkPositions('LRANGE {} 0 999')
export const ranks = checkPositions('ZRANGE {} 0 999')
export const scores = checkLimitOption(LIMITED)
export const near = checkNearby(ZSCAN)
export const union = {
  sets: checkSum(argKeys, SSCAN),
  counted: checkSum(countedKeys, 'SSCAN or ZSCAN {} 0 COUNT 1000'),
}
export const shared = {
  sets: checkSmallest(argKeys, `${SSCAN} and SMISMEMBER`),
  counted: checkSmallest(countedKeys, `${ZSCAN} and ZMSCORE`),
}
const sharedCount = checkSmallest(countedKeys, `${SSCAN} and SMISMEMBER`, MAX_SCANNED_ITEMS)

/**
 * Commands that only read keys, each with its cost check. Redis runs one command at a time and cannot stop it. Without
 * KEYS, and without PFCOUNT, which writes into its key.
 */
export const READ_COMMANDS: ReadonlyMap<string, CostCheck> = new Map<string, CostCheck>([
  ...commands(
    'PING ECHO TIME INFO DBSIZE LASTSAVE RANDOMKEY EXISTS TYPE TTL PTTL EXPIRETIME PEXPIRETIME OBJECT',
    noCheck,
  ),
  ...commands(
    'STRLEN GETBIT BITFIELD_RO HLEN HEXISTS HSTRLEN HTTL HPTTL HEXPIRETIME HPEXPIRETIME LLEN LINDEX',
    noCheck,
  ),
  ...commands(
    'SCARD SISMEMBER SMISMEMBER ZCARD ZCOUNT ZRANK ZREVRANK ZSCORE ZMSCORE ZLEXCOUNT XLEN',
    noCheck,
  ),
  ...commands('GEOPOS GEODIST GEOHASH', noCheck),
  ['COMMAND', (command) => valuesOf(command, 'PATTERN', 1).forEach(checkPattern)],
  ['MEMORY', checkSamples],
  [
    'DUMP',
    checkAll(checkStrings(firstKey), checkWholeKey('a scan of its type, such as SSCAN {} 0 COUNT 1000')),
  ],
  ['SCAN', checkScanStep(1)],
  ...commands('HSCAN SSCAN ZSCAN', checkScanStep(2)),
  ['GET', checkStrings(firstKey)],
  ['MGET', checkStrings(argKeys)],
  ...commands('GETRANGE SUBSTR', checkSlice(1, 'GETRANGE {} 0 9999')),
  ['BITCOUNT', checkSlice(1, 'BITCOUNT {} 0 999999')],
  ['BITPOS', checkSlice(2, 'BITPOS {} 1 0 999999')],
  ...commands('HGET HMGET', checkFields),
  ...commands('HGETALL HKEYS HVALS', checkWholeKey(HSCAN)),
  ['HRANDFIELD', checkNumber('HRANDFIELD {} 10')],
  ['LRANGE', positions],
  ['LPOS', checkListSearch],
  ['SMEMBERS', checkWholeKey(SSCAN)],
  ['SRANDMEMBER', checkNumber('SRANDMEMBER {} 10')],
  ['SINTER', shared.sets],
  ...commands('SUNION SDIFF', union.sets),
  ...commands('SINTERCARD ZINTERCARD', sharedCount),
  ['SORT_RO', checkAll(checkSort, checkWholeKey('LRANGE {} 0 999 or a scan of its type'))],
  ['ZRANGE', checkRange(ranks, scores)],
  ['ZREVRANGE', ranks],
  ...commands('ZRANGEBYSCORE ZRANGEBYLEX ZREVRANGEBYSCORE ZREVRANGEBYLEX', scores),
  ['ZRANDMEMBER', checkNumber('ZRANDMEMBER {} 10')],
  ['ZINTER', shared.counted],
  ...commands('ZUNION ZDIFF', union.counted),
  ...commands('XRANGE XREVRANGE', checkCountOption('COUNT 1000 at its end', 3)),
  ['XREAD', checkStreamRead],
  ['XINFO', checkStreamInfo],
  ['XPENDING', checkPending],
  ...commands('GEOSEARCH GEORADIUS_RO GEORADIUSBYMEMBER_RO', near),
])

export function commands(names: string, bound: CostCheck): [string, CostCheck][] {
  return names.split(' ').map((name) => [name, bound])
}

/** SAMPLES 0 would read the whole key. */
function checkSamples(command: PendingCommand): void {
  for (const value of valuesOf(command, 'SAMPLES', 2)) checkOption(command, 'SAMPLES', { value, max: 1_000 })
}

/** GET reads keys that are named by the sorted values, so their size is unknown. */
function checkSort(command: PendingCommand): void {
  if (valuesOf(command, 'GET', 1).length > 0)
    throw refused('SORT_RO … GET is not supported here. Use MGET on the result.')
  for (const value of valuesOf(command, 'BY', 1)) checkPattern(value)
}

async function checkListSearch(command: PendingCommand): Promise<void> {
  const key = keyAt(command, 0)
  const lengths = valuesOf(command, 'MAXLEN', 2)
  for (const value of lengths) checkOption(command, 'MAXLEN', { value, max: MAX_SCANNED_ITEMS })
  if (lengths.length > 0) return
  const items = await command.sizes.items(key)
  checkItems(command, { items, max: MAX_SCANNED_ITEMS, key, instead: 'MAXLEN 10000 at its end' })
}

/** COUNT applies to each stream. */
async function checkStreamRead(command: PendingCommand): Promise<void> {
  const at = command.words.indexOf('STREAMS') + 1
  const keys = command.args.slice(at, at + Math.floor((command.args.length - at) / 2))
  const counts = valuesOf({ ...command, words: command.words.slice(0, at) }, 'COUNT', 0)
  const max = Math.floor(MAX_ITEMS / Math.max(1, keys.length))
  for (const value of counts) checkOption(command, 'COUNT', { value, max })
  if (counts.length === 0) return checkSum(() => keys, 'XREAD COUNT 1000 STREAMS {} 0')(command)
}

async function checkStreamInfo(command: PendingCommand): Promise<void> {
  const [part, , option] = command.words
  const key = keyAt(command, 1)
  if (option === 'FULL')
    throw refused('XINFO STREAM … FULL is not supported here. Use XINFO GROUPS and XPENDING.')
  if (part === 'STREAM') return
  const items =
    part === 'GROUPS'
      ? await command.sizes.groups(key)
      : await command.sizes.consumers(key, keyAt(command, 2))
  checkItems(command, { items, key, instead: 'XINFO STREAM {}' })
}

/** XPENDING key group [[IDLE ms] start end count [consumer]] */
async function checkPending(command: PendingCommand): Promise<void> {
  const [, , option, , count] = command.words
  const key = keyAt(command, 0)
  if (option === 'IDLE') throw refused('XPENDING … IDLE scans all pending entries. Use it without IDLE.')
  if (option !== undefined) return checkOption(command, 'start and end', { value: count })
  const items = await command.sizes.consumers(key, keyAt(command, 1))
  checkItems(command, { items, key, instead: 'XPENDING {} group - + 1000' })
}

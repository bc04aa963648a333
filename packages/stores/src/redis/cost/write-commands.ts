import { checkNumber, checkPart, checkRange, checkWholeKey } from './collections.ts'
import {
  type CostCheck,
  checkAll,
  integer,
  keyAt,
  noCheck,
  type PendingCommand,
  skipArgs,
  spanOf,
  valuesOf,
} from './cost-check.ts'
import { checkBytes, checkItems, checkOption, MAX_SCANNED_ITEMS } from './limits.ts'
import { commands, near, ranks, scores, shared, union } from './read-commands.ts'
import { checkGrowth, checkStrings, furthestPart } from './strings.ts'

const firstKey = ({ args }: PendingCommand) => args.slice(0, 1)
const everyKey = ({ args }: PendingCommand) => args
const everySecond = ({ args }: PendingCommand) => args.filter((_, index) => index % 2 === 0)

/** Redis frees a deleted value before the next command; only UNLINK frees it in the background. */
const checkFreed = checkReplaced(everyKey)
const checkReplacedFirst = checkReplaced(firstKey)

/**
 * Commands that change keys of one database, for writable connections only, each with its cost check. None runs code or
 * changes the server.
 */
export const WRITE_COMMANDS: ReadonlyMap<string, CostCheck> = new Map<string, CostCheck>([
  ...commands(
    'SETNX APPEND INCR INCRBY INCRBYFLOAT DECR DECRBY MSETNX UNLINK PERSIST RENAMENX TOUCH',
    noCheck,
  ),
  ...commands('HSET HSETNX HMSET HDEL HINCRBY HINCRBYFLOAT HEXPIRE HPEXPIRE HPERSIST', noCheck),
  ...commands('LPUSH RPUSH LPUSHX RPUSHX LSET LMOVE RPOPLPUSH SADD SREM SMOVE ZADD ZREM ZINCRBY', noCheck),
  ...commands('XDEL GEOADD PFADD PFMERGE PFCOUNT FLUSHDB FLUSHALL', noCheck),
  ...commands('SET GETSET', checkAll(checkStrings(firstKey), checkReplacedFirst)),
  ...commands('SETEX PSETEX', checkReplacedFirst),
  ['MSET', checkReplaced(everySecond)],
  ...commands('GETDEL GETEX', checkStrings(firstKey)),
  ['SETRANGE', checkGrowth(({ words }) => integer(words[1]) || 0)],
  ['SETBIT', checkGrowth(({ words }) => (integer(words[1]) || 0) / 8)],
  ['BITFIELD', checkGrowth(furthestPart)],
  ['BITOP', checkAll(skipArgs(2, checkLongest), skipArgs(1, checkReplacedFirst))],
  ['DEL', checkFreed],
  ...commands('EXPIRE PEXPIRE EXPIREAT PEXPIREAT', checkExpiry),
  ['RENAME', skipArgs(1, checkReplacedFirst)],
  [
    'COPY',
    checkAll(
      checkStrings(firstKey),
      checkWholeKey('a scan of its type, and writes of your own'),
      skipArgs(1, checkReplacedFirst),
    ),
  ],
  ...commands('LPOP RPOP SPOP ZPOPMIN ZPOPMAX', checkNumber('a number of at most 10000')),
  ...commands('LREM LINSERT', checkListWalk),
  ['LTRIM', checkListTrim],
  ['SINTERSTORE', checkAll(checkReplacedFirst, skipArgs(1, shared.sets))],
  ...commands('SUNIONSTORE SDIFFSTORE', checkAll(checkReplacedFirst, skipArgs(1, union.sets))),
  ['ZINTERSTORE', checkAll(checkReplacedFirst, skipArgs(1, shared.counted))],
  ...commands('ZUNIONSTORE ZDIFFSTORE', checkAll(checkReplacedFirst, skipArgs(1, union.counted))),
  ['ZRANGESTORE', checkAll(checkReplacedFirst, skipArgs(1, checkRange(ranks, scores)))],
  ['GEOSEARCHSTORE', checkAll(checkReplacedFirst, skipArgs(1, near))],
  ['ZREMRANGEBYRANK', ranks],
  ['ZREMRANGEBYSCORE', checkRangeRemoval('ZCOUNT')],
  ['ZREMRANGEBYLEX', checkRangeRemoval('ZLEXCOUNT')],
  ...commands('XADD XTRIM', checkStreamTrim),
])

function checkReplaced(keysOf: (command: PendingCommand) => readonly Buffer[]): CostCheck {
  return async (command) => {
    for (const key of keysOf(command)) {
      const instead = command.name === 'DEL' ? 'UNLINK {}, which frees them beside' : 'UNLINK {} first'
      checkItems(command, { items: await command.sizes.items(key), key, instead })
    }
  }
}

/** An expiry in the past deletes the key at once. */
async function checkExpiry(command: PendingCommand): Promise<void> {
  const unit = command.name.startsWith('P') ? 1 : 1_000
  const time = integer(command.words[1]) * unit
  const isPast = command.name.endsWith('AT') ? time <= Date.now() : time <= 0
  if (isPast) await checkReplacedFirst(command)
}

async function checkLongest(command: PendingCommand): Promise<void> {
  for (const key of command.args) {
    checkBytes(command, { bytes: await command.sizes.textBytes(key), key, instead: 'shorter strings' })
  }
}

async function checkListWalk(command: PendingCommand): Promise<void> {
  const key = keyAt(command, 0)
  const items = await command.sizes.items(key)
  checkItems(command, { items, max: MAX_SCANNED_ITEMS, key, instead: 'LSET {} index element, or LTRIM' })
}

async function checkListTrim(command: PendingCommand): Promise<void> {
  const key = keyAt(command, 0)
  const items = await command.sizes.items(key)
  const remaining = spanOf(integer(command.words[1]), integer(command.words[2]), items)
  checkItems(command, {
    items: items - remaining,
    max: MAX_SCANNED_ITEMS,
    key,
    instead: 'LTRIM in steps, or UNLINK {}',
  })
}

function checkRangeRemoval(count: 'ZCOUNT' | 'ZLEXCOUNT'): CostCheck {
  return async (command) => {
    const items = await command.sizes.between(count, command.args)
    await checkPart(command, keyAt(command, 0), items, 'ZREMRANGEBYRANK {} 0 9999')
  }
}

/** Trimming with '~' is limited by Redis itself; an exact trim needs a small stream. */
async function checkStreamTrim(command: PendingCommand): Promise<void> {
  const key = keyAt(command, 0)
  const limits = valuesOf(command, 'LIMIT', 1)
  for (const value of limits) checkOption(command, 'LIMIT', { value, max: MAX_SCANNED_ITEMS })
  const strategies = ['MAXLEN', 'MINID'].flatMap((strategy) => valuesOf(command, strategy, 1))
  if (strategies.length === 0 || strategies.every((word) => word === '~')) return
  const items = await command.sizes.items(key)
  checkItems(command, {
    items,
    max: MAX_SCANNED_ITEMS,
    key,
    instead: `${command.name} {} with MAXLEN ~ LIMIT 10000`,
  })
}

import type { Send } from '#redis/connection.ts'
import { isReplyError } from '#redis/reply-error.ts'

/** Sizes of keys, read with commands whose cost does not depend on the size. */
export interface KeySizes {
  /** Number of members, fields, elements or entries; 1 for a string, 0 for no key, Infinity for an unknown type. */
  items(key: Buffer): Promise<number>
  /** Bytes of a string; 0 for any other key. */
  textBytes(key: Buffer): Promise<number>
  fieldBytes(key: Buffer, field: Buffer): Promise<number>
  /** Estimated bytes of that many items; exact for all items. */
  bytes(key: Buffer, items: number): Promise<number>
  /** Members of a sorted set in a range of scores or names. */
  between(count: 'ZCOUNT' | 'ZLEXCOUNT', args: readonly Buffer[]): Promise<number>
  /** Groups of a stream. */
  groups(key: Buffer): Promise<number>
  /** Consumers of one of its groups. */
  consumers(key: Buffer, group: Buffer): Promise<number>
}

const COUNTING: Record<string, string> = {
  list: 'LLEN',
  set: 'SCARD',
  hash: 'HLEN',
  zset: 'ZCARD',
  stream: 'XLEN',
}
const UNCOUNTED: Record<string, number> = { none: 0, string: 1 }
const MEMORY_SAMPLES = 100

export function readKeySizes(send: Send): KeySizes {
  const number = async (command: string, ...args: (Buffer | number | string)[]) =>
    Number((await orUndefined(send(command, ...args))) ?? 0)
  const items = async (key: Buffer) => {
    const type = String(await send('TYPE', key))
    const count = COUNTING[type]
    if (count !== undefined) return number(count, key)
    return UNCOUNTED[type] ?? Number.POSITIVE_INFINITY
  }
  return {
    items,
    textBytes: (key) => number('STRLEN', key),
    fieldBytes: (key, field) => number('HSTRLEN', key, field),
    async bytes(key, wanted) {
      const [all, text] = await Promise.all([items(key), number('STRLEN', key)])
      if (all === 0 || wanted <= 0) return 0
      if (text > 0) return text
      const isAll = wanted >= all
      const samples = isAll ? all : MEMORY_SAMPLES
      const taken = await number('MEMORY', 'USAGE', key, 'SAMPLES', samples)
      return isAll ? taken : (taken / all) * wanted
    },
    between: (count, args) => number(count, ...args),
    groups: async (key) => Number(fieldIn(await orUndefined(send('XINFO', 'STREAM', key)), 'groups') ?? 0),
    async consumers(key, group) {
      const reply = await orUndefined(send('XINFO', 'GROUPS', key))
      const groups: unknown[] = Array.isArray(reply) ? reply : []
      const found = groups.find((one) => String(fieldIn(one, 'name')) === String(group))
      return Number(fieldIn(found, 'consumers') ?? 0)
    },
  }
}

/** Undefined for a wrong type or a missing permission; the command itself will then report it. */
async function orUndefined(reply: Promise<unknown>): Promise<unknown> {
  try {
    return await reply
  } catch (failure) {
    if (isReplyError(failure)) return undefined
    throw failure
  }
}

/** The value of a name in a flat list of names and values. */
function fieldIn(reply: unknown, name: string): unknown {
  if (!Array.isArray(reply)) return undefined
  const at = reply.findIndex((item, index) => index % 2 === 0 && String(item) === name)
  return at === -1 ? undefined : reply[at + 1]
}

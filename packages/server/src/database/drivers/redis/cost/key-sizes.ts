import { ReplyError } from 'ioredis'
import type { Send } from '../visit.ts'

/** How large keys are, by questions that Redis answers at once however large they are. */
export interface KeySizes {
  /** Members, fields, elements or entries; 1 for a string, 0 for no key, Infinity for what cannot be asked. */
  items(key: Buffer): Promise<number>
  /** Bytes of a string; 0 for any other key. */
  textBytes(key: Buffer): Promise<number>
  fieldBytes(key: Buffer, field: Buffer): Promise<number>
  /** About the bytes of so many items of a key; exact when those are all it holds. */
  bytes(key: Buffer, items: number): Promise<number>
  /** Members of a sorted set from one score or name to another. */
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
const SAMPLES = 100

export function askSizes(send: Send): KeySizes {
  const number = async (command: string, ...args: (Buffer | number | string)[]) =>
    Number((await orNothing(send(command, ...args))) ?? 0)
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
      const samples = isAll ? all : SAMPLES
      const taken = await number('MEMORY', 'USAGE', key, 'SAMPLES', samples)
      return isAll ? taken : (taken / all) * wanted
    },
    between: (count, args) => number(count, ...args),
    groups: async (key) => Number(fieldIn(await orNothing(send('XINFO', 'STREAM', key)), 'groups') ?? 0),
    async consumers(key, group) {
      const told = await orNothing(send('XINFO', 'GROUPS', key))
      const groups: unknown[] = Array.isArray(told) ? told : []
      const found = groups.find((one) => String(fieldIn(one, 'name')) === String(group))
      return Number(fieldIn(found, 'consumers') ?? 0)
    },
  }
}

/** A key of another type than the command wants, or a question that this user may not ask: the command itself will tell. */
async function orNothing(asked: Promise<unknown>): Promise<unknown> {
  try {
    return await asked
  } catch (failure) {
    if (failure instanceof ReplyError) return undefined
    throw failure
  }
}

/** Of a flat list of names and values. */
function fieldIn(told: unknown, name: string): unknown {
  if (!Array.isArray(told)) return undefined
  const at = told.findIndex((item, index) => index % 2 === 0 && String(item) === name)
  return at === -1 ? undefined : told[at + 1]
}

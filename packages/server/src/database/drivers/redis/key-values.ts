import { type Encoding, encodeValue, FOR_SCREEN } from '../encode.ts'
import type { Send } from './visit.ts'
import { WHOLE } from './whole-values.ts'

/** How many items of a list, hash or set stand in its row on the screen. */
const SHOWN_ITEMS = 20
const SHOWN_BYTES = 1024

export const KEY_COLUMNS = [
  { name: 'key', type: 'string' },
  { name: 'type', type: 'string' },
  { name: 'ttl', type: 'seconds' },
  { name: 'size', type: 'integer' },
  { name: 'value', type: 'any' },
]

/** A key as a row: its name, type, seconds to live, length and what it holds; undefined when it is gone meanwhile. */
export async function readKey(send: Send, key: Buffer, encoding: Encoding): Promise<unknown[] | undefined> {
  const [type, pttl] = await Promise.all([send('TYPE', key), send('PTTL', key)])
  const kind = String(type)
  if (kind === 'none') return undefined
  const ttl = Number(pttl) < 0 ? null : Number(pttl) / 1000
  const reader = READERS[kind]
  if (reader === undefined) return [textOf(key), kind, ttl, null, null]
  const size = Number(await send(reader.count, key))
  const isShown = encoding === FOR_SCREEN
  const items = isShown ? itemsIn(await reader.first(send, key)) : await reader.whole(send, key)
  const value = reader.value(isShown ? items.slice(0, reader.most) : items, size)
  return [textOf(key), kind, ttl, size, encodeReply(value, encoding)]
}

interface Reader {
  /** Tells the size, at once. */
  count: string
  /** What stands on the screen: the first items. */
  first(send: Send, key: Buffer): Promise<unknown>
  most?: number
  whole(send: Send, key: Buffer): Promise<unknown[]>
  value(items: unknown[], size: number): unknown
}

const asList = (items: unknown[]) => items

const READERS: Record<string, Reader> = {
  string: {
    count: 'STRLEN',
    first: async (send, key) => [await send('GETRANGE', key, 0, SHOWN_BYTES - 1)],
    whole: WHOLE.string,
    value: ([value], size) =>
      Buffer.isBuffer(value) && value.length < size ? shortened(value, size) : value,
  },
  list: {
    count: 'LLEN',
    first: (send, key) => send('LRANGE', key, 0, SHOWN_ITEMS - 1),
    whole: WHOLE.list,
    value: asList,
  },
  hash: {
    count: 'HLEN',
    first: async (send, key) => scannedItems(await send('HSCAN', key, 0, 'COUNT', SHOWN_ITEMS)),
    whole: WHOLE.hash,
    value: (items) =>
      Object.fromEntries(pairsOf(items).map(([name, value]) => [String(textOf(name)), value])),
  },
  set: {
    count: 'SCARD',
    first: async (send, key) => scannedItems(await send('SSCAN', key, 0, 'COUNT', SHOWN_ITEMS)),
    most: SHOWN_ITEMS,
    whole: WHOLE.set,
    value: asList,
  },
  zset: {
    count: 'ZCARD',
    first: (send, key) => send('ZRANGE', key, 0, SHOWN_ITEMS - 1, 'WITHSCORES'),
    whole: WHOLE.zset,
    value: pairsOf,
  },
  stream: {
    count: 'XLEN',
    first: (send, key) => send('XRANGE', key, '-', '+', 'COUNT', SHOWN_ITEMS),
    whole: WHOLE.stream,
    value: asList,
  },
}

/** A reply with its bytes as texts where they are texts, and as blobs where not. */
export function encodeReply(reply: unknown, encoding: Encoding): unknown {
  if (Buffer.isBuffer(reply)) {
    const text = textOf(reply)
    return typeof text === 'string' ? text : encodeValue(reply, encoding)
  }
  if (Array.isArray(reply)) return reply.map((item) => encodeReply(item, encoding))
  if (typeof reply !== 'object' || reply === null) return encodeValue(reply, encoding)
  return Object.fromEntries(Object.entries(reply).map(([name, item]) => [name, encodeReply(item, encoding)]))
}

/** Bytes as text, or as they are when they are none. */
export function textOf(bytes: unknown): string | Buffer {
  if (!Buffer.isBuffer(bytes)) return String(bytes)
  const text = bytes.toString('utf8')
  return text.includes('\uFFFD') && !Buffer.from(text).equals(bytes) ? bytes : text
}

/** Pairs of a flat list: name, value, name, value. */
export function pairsOf(items: readonly unknown[]): [unknown, unknown][] {
  return items.flatMap((item, index) =>
    index % 2 === 0 ? [[item, items[index + 1]] satisfies [unknown, unknown]] : [],
  )
}

/** A scan tells where it stopped, before its items. */
function scannedItems(reply: unknown): unknown {
  return itemsIn(reply)[1]
}

function itemsIn(reply: unknown): unknown[] {
  return Array.isArray(reply) ? reply : []
}

/** The first KiB: a text that says it goes on, or a blob that tells its size. A cut may fall into a character. */
function shortened(value: Buffer, size: number): unknown {
  for (const length of [value.length, value.length - 1, value.length - 2, value.length - 3]) {
    const text = textOf(value.subarray(0, length))
    if (typeof text === 'string') return `${text}…`
  }
  return { $blob: value.toString('base64'), bytes: size }
}

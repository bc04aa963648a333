import { type Encoding, encodeValue, FOR_SCREEN } from '../encode.ts'
import type { Send } from './visit.ts'

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
  const isWhole = encoding !== FOR_SCREEN
  const read = READERS[kind]
  const [size, value] = read === undefined ? [null, null] : await read(send, key, isWhole)
  return [textOf(key), kind, ttl, size, encodeReply(value, encoding)]
}

type Reader = (send: Send, key: Buffer, isWhole: boolean) => Promise<[size: unknown, value: unknown]>

const READERS: Record<string, Reader> = {
  async string(send, key, isWhole) {
    const size = Number(await send('STRLEN', key))
    const value = await send('GETRANGE', key, 0, isWhole ? -1 : SHOWN_BYTES - 1)
    return [size, Buffer.isBuffer(value) && value.length < size ? shortened(value, size) : value]
  },
  list: (send, key, isWhole) =>
    Promise.all([send('LLEN', key), send('LRANGE', key, 0, isWhole ? -1 : SHOWN_ITEMS - 1)]),
  async hash(send, key, isWhole) {
    const [size, found] = await Promise.all([
      send('HLEN', key),
      isWhole ? send('HGETALL', key) : send('HSCAN', key, 0, 'COUNT', SHOWN_ITEMS),
    ])
    return [
      size,
      Object.fromEntries(
        pairsOf(itemsIn(found, isWhole)).map(([name, value]) => [String(textOf(name)), value]),
      ),
    ]
  },
  async set(send, key, isWhole) {
    const [size, found] = await Promise.all([
      send('SCARD', key),
      isWhole ? send('SMEMBERS', key) : send('SSCAN', key, 0, 'COUNT', SHOWN_ITEMS),
    ])
    return [size, itemsIn(found, isWhole).slice(0, isWhole ? undefined : SHOWN_ITEMS)]
  },
  async zset(send, key, isWhole) {
    const last = isWhole ? -1 : SHOWN_ITEMS - 1
    const [size, found] = await Promise.all([send('ZCARD', key), send('ZRANGE', key, 0, last, 'WITHSCORES')])
    return [size, pairsOf(itemsIn(found, true))]
  },
  stream: (send, key, isWhole) =>
    Promise.all([
      send('XLEN', key),
      isWhole ? send('XRANGE', key, '-', '+') : send('XRANGE', key, '-', '+', 'COUNT', SHOWN_ITEMS),
    ]),
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
function itemsIn(reply: unknown, isBare: boolean): unknown[] {
  const items: unknown = isBare || !Array.isArray(reply) ? reply : reply[1]
  return Array.isArray(items) ? items : []
}

/** The first KiB: a text that says it goes on, or a blob that tells its size. A cut may fall into a character. */
function shortened(value: Buffer, size: number): unknown {
  for (const length of [value.length, value.length - 1, value.length - 2, value.length - 3]) {
    const text = textOf(value.subarray(0, length))
    if (typeof text === 'string') return `${text}…`
  }
  return { $blob: value.toString('base64'), bytes: size }
}

import { encodeValue } from '#encode.ts'
import type { ExportCell } from '#export-form.ts'
import { quoteWord } from './command-text.ts'
import type { Send } from './connection.ts'
import { exportCell, exportColumn } from './export-forms.ts'
import { FULL_VALUES } from './whole-values.ts'

/** Items of a list, hash or set that a row on the screen shows. */
const SHOWN_ITEMS = 20
const SHOWN_BYTES = 1024

export const KEY_COLUMNS = [
  { name: 'key', type: 'string' },
  { name: 'type', type: 'string' },
  { name: 'ttl', type: 'seconds' },
  { name: 'size', type: 'integer' },
  { name: 'value', type: 'any' },
]

export const EXPORT_COLUMNS = KEY_COLUMNS.map(exportColumn)

/** A key as a row of the screen: name, type, TTL in seconds, size and the first of its value. */
export async function readKey(send: Send, key: Buffer): Promise<unknown[] | undefined> {
  const row = await readRow(send, key, async (reader, size) => {
    const items = itemsIn(await reader.readFirst(send, key))
    const value = reader.value(items.slice(0, reader.maxItems), size)
    const shown = value instanceof Map ? value.size : Array.isArray(value) ? value.length : size
    return shown < size ? partOf(value, { shown, size, rest: reader.rest?.(shown, value) }, key) : value
  })
  return row?.map(encodeReply)
}

/** Says how many items are shown, and the command that reads on. */
function partOf(value: unknown, { shown, size, rest }: Part, key: Buffer): Map<string, unknown> {
  const count = (items: number) => items.toLocaleString('en-US')
  const [command, ...args] = rest ?? []
  return new Map<string, unknown>([
    ['shown', `first ${count(shown)} of ${count(size)}`],
    ...(command === undefined ? [] : [['more', [command, quoteWord(key), ...args].join(' ')] as const]),
    ['items', value],
  ])
}

interface Part {
  shown: number
  size: number
  rest: readonly string[] | undefined
}

/** A key as a row of an export, with all of its value. */
export async function exportKey(send: Send, key: Buffer): Promise<ExportCell[] | undefined> {
  const row = await readRow(send, key, async (reader, size) =>
    reader.value(await reader.readAll(send, key), size),
  )
  return row?.map((value, index) => exportCell(value, EXPORT_COLUMNS[index] ?? { json: 'text' }))
}

/** Undefined when the key no longer exists. */
async function readRow(
  send: Send,
  key: Buffer,
  readValue: (reader: Reader, size: number) => Promise<unknown>,
): Promise<unknown[] | undefined> {
  const [type, pttl] = await Promise.all([send('TYPE', key), send('PTTL', key)])
  const kind = String(type)
  if (kind === 'none') return undefined
  const ttl = Number(pttl) < 0 ? null : Number(pttl) / 1000
  const reader = READERS[kind]
  if (reader === undefined) return [key, kind, ttl, null, null]
  const size = Number(await send(reader.count, key))
  return [key, kind, ttl, size, await readValue(reader, size)]
}

interface Reader {
  /** The O(1) command that returns the size. */
  count: string
  /** The first items, for the screen. */
  readFirst(send: Send, key: Buffer): Promise<unknown>
  maxItems?: number
  readAll(send: Send, key: Buffer): Promise<unknown[]>
  value(items: unknown[], size: number): unknown
  /** The command that reads the items after the shown ones; the key follows its first word. */
  rest?(shown: number, value: unknown): string[]
}

const MORE_ITEMS = 1000

const asList = (items: unknown[]) => items

const READERS: Record<string, Reader> = {
  string: {
    count: 'STRLEN',
    readFirst: async (send, key) => [await send('GETRANGE', key, 0, SHOWN_BYTES - 1)],
    readAll: FULL_VALUES.string,
    value: ([value], size) =>
      Buffer.isBuffer(value) && value.length < size ? truncateValue(value, size) : value,
  },
  list: {
    count: 'LLEN',
    readFirst: (send, key) => send('LRANGE', key, 0, SHOWN_ITEMS - 1),
    readAll: FULL_VALUES.list,
    value: asList,
    rest: (shown) => ['LRANGE', `${shown}`, `${shown + MORE_ITEMS - 1}`],
  },
  hash: {
    count: 'HLEN',
    readFirst: async (send, key) => scannedItems(await send('HSCAN', key, 0, 'COUNT', SHOWN_ITEMS)),
    readAll: FULL_VALUES.hash,
    value: (items) => new Map(pairsOf(items)),
    rest: () => ['HSCAN', '0', 'COUNT', `${MORE_ITEMS}`],
  },
  set: {
    count: 'SCARD',
    readFirst: async (send, key) => scannedItems(await send('SSCAN', key, 0, 'COUNT', SHOWN_ITEMS)),
    maxItems: SHOWN_ITEMS,
    readAll: FULL_VALUES.set,
    value: asList,
    rest: () => ['SSCAN', '0', 'COUNT', `${MORE_ITEMS}`],
  },
  zset: {
    count: 'ZCARD',
    readFirst: (send, key) => send('ZRANGE', key, 0, SHOWN_ITEMS - 1, 'WITHSCORES'),
    readAll: FULL_VALUES.zset,
    value: pairsOf,
    rest: (shown) => ['ZRANGE', `${shown}`, `${shown + MORE_ITEMS - 1}`, 'WITHSCORES'],
  },
  stream: {
    count: 'XLEN',
    readFirst: (send, key) => send('XRANGE', key, '-', '+', 'COUNT', SHOWN_ITEMS),
    readAll: FULL_VALUES.stream,
    value: asList,
    rest: (_shown, entries) => {
      const [lastId] = itemsIn(itemsIn(entries).at(-1))
      return ['XRANGE', `(${String(lastId)}`, '+', 'COUNT', `${MORE_ITEMS}`]
    },
  },
}

/** Decodes bytes that are valid UTF-8 as text and encodes others as previews of blobs. */
export function encodeReply(reply: unknown): unknown {
  if (Buffer.isBuffer(reply)) {
    const text = textOf(reply)
    return typeof text === 'string' ? text : encodeValue(reply)
  }
  if (Array.isArray(reply)) return reply.map(encodeReply)
  if (reply instanceof Map) {
    return Object.fromEntries([...reply].map(([name, item]) => [String(textOf(name)), encodeReply(item)]))
  }
  return encodeValue(reply)
}

/** Text where the bytes are valid UTF-8, else the bytes. */
export function textOf(bytes: unknown): string | Buffer {
  if (!Buffer.isBuffer(bytes)) return String(bytes)
  const text = bytes.toString('utf8')
  return text.includes('\uFFFD') && !Buffer.from(text).equals(bytes) ? bytes : text
}

/** Splits a flat list of name, value, name, value into pairs. */
export function pairsOf(items: readonly unknown[]): [unknown, unknown][] {
  return items.flatMap((item, index) =>
    index % 2 === 0 ? [[item, items[index + 1]] satisfies [unknown, unknown]] : [],
  )
}

/** The items of a scan reply, which begins with the cursor. */
function scannedItems(reply: unknown): unknown {
  return itemsIn(reply)[1]
}

function itemsIn(reply: unknown): unknown[] {
  return Array.isArray(reply) ? reply : []
}

/** The first KiB as text with an ellipsis, or as a blob preview. The cut may fall inside a character. */
function truncateValue(value: Buffer, size: number): unknown {
  for (const length of [value.length, value.length - 1, value.length - 2, value.length - 3]) {
    const text = textOf(value.subarray(0, length))
    if (typeof text === 'string') return `${text}…`
  }
  return { $blob: value.toString('base64'), bytes: size }
}

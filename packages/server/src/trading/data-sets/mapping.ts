import type { DataSetMapping } from '@binnacle/contract'
import type { FileHead } from './row-reader.ts'

type BarsMapping = Extract<DataSetMapping, { kind: 'bars' }>

/** The names that files use for a column, most usual first; all in lower case without spaces, dots and underscores. */
const NAMES = {
  time: [
    'opentime',
    'time',
    'timestamp',
    'date',
    'datetime',
    'start',
    'starttime',
    'unix',
    'ts',
    'tradetime',
    't',
    'transacttime',
  ],
  open: ['open', 'openprice', 'o'],
  high: ['high', 'highprice', 'max', 'h'],
  low: ['low', 'lowprice', 'min', 'l'],
  close: ['close', 'closeprice', 'adjclose', 'c'],
  volume: ['volume', 'vol', 'basevolume', 'volumebtc', 'v', 'amount'],
  price: ['price', 'tradeprice', 'p', 'last'],
  quantity: ['quantity', 'qty', 'size', 'amount', 'volume', 'q'],
} as const

/** Columns of a file without names: an exchange's kline dump begins so, and so do its trades (id, price, quantity, …). */
const KLINE_COLUMNS = 6
const POSITIONS = ['time', 'open', 'high', 'low', 'close', 'volume'] as const

/** Names of the columns: those of the header, else column0, column1, … */
export function columnsOf({ header, columnCount }: FileHead): string[] {
  const names = header ?? Array.from({ length: columnCount }, (_, index) => `column${index}`)
  const seen = new Map<string, number>()
  return names.map((name) => {
    const trimmed = name.trim() || 'column'
    const count = (seen.get(trimmed) ?? 0) + 1
    seen.set(trimmed, count)
    return count === 1 ? trimmed : `${trimmed}_${count}`
  })
}

/** Guesses which column is what; null when nothing fits. */
export function guessMapping(head: FileHead): DataSetMapping | null {
  const columns = columnsOf(head)
  return head.header === null ? guessByPlace(head, columns) : guessByName(columns)
}

function guessByName(columns: readonly string[]): DataSetMapping | null {
  const plain = columns.map((name) => name.toLowerCase().replaceAll(/[^a-z0-9]/g, ''))
  const find = (names: readonly string[]) => {
    const found = names.map((name) => plain.indexOf(name)).find((index) => index >= 0)
    return found === undefined ? undefined : columns[found]
  }
  const time = find(NAMES.time) ?? columns[plain.findIndex((name) => /time|date/.test(name))]
  if (time === undefined) return null
  const common = { has_header: true, time, time_unit: 'auto' } as const
  const [open, high, low, close] = [find(NAMES.open), find(NAMES.high), find(NAMES.low), find(NAMES.close)]
  if (open !== undefined && high !== undefined && low !== undefined && close !== undefined) {
    const volume = find(NAMES.volume) ?? columns[plain.findIndex((name) => name.startsWith('volume'))]
    return { kind: 'bars', ...common, open, high, low, close, ...(volume !== undefined && { volume }) }
  }
  const price = find(NAMES.price) ?? close
  const quantity = find(NAMES.quantity)
  return price === undefined
    ? null
    : { kind: 'ticks', ...common, price, ...(quantity !== undefined && { quantity }) }
}

function guessByPlace({ rows }: FileHead, columns: readonly string[]): DataSetMapping | null {
  const [first] = rows
  if (first === undefined) return null
  const values = first.values.map((value) => value.trim())
  const common = { has_header: false, time_unit: 'auto' } as const
  if (isTime(values[0]) && values.length >= KLINE_COLUMNS - 1 && values.slice(1, 5).every(isNumber)) {
    const named = POSITIONS.flatMap((role, place) => {
      const column = columns[place]
      return column === undefined ? [] : [[role, column] as const]
    })
    // Every role of a bar but its volume has a column.
    return {
      kind: 'bars',
      ...common,
      ...(Object.fromEntries(named) as Omit<BarsMapping, 'kind' | 'has_header' | 'time_unit'>),
    }
  }
  const timeAt = values.findIndex((value, place) => isTime(value) && (place > 0 || values.length < 5))
  const time = columns[timeAt]
  const numbers = values.flatMap((value, place) =>
    place !== timeAt && isNumber(value) && !isId(value, place) ? [columns[place] ?? ''] : [],
  )
  const [price, quantity] = numbers
  if (time === undefined || price === undefined) return null
  return { kind: 'ticks', ...common, time, price, ...(quantity !== undefined && { quantity }) }
}

/** A date, or a number of seconds, milliseconds, microseconds or nanoseconds since 1990 or later. */
function isTime(value: string | undefined): boolean {
  if (value === undefined) return false
  return /^\d{4}-\d\d-\d\d/.test(value) || (/^\d{9,19}(\.\d+)?$/.test(value) && Number(value) >= 631_152_000)
}

function isNumber(value: string): boolean {
  return value !== '' && Number.isFinite(Number(value))
}

/** The number of a trade comes first in the dumps of exchanges and has no decimals. */
function isId(value: string, place: number): boolean {
  return place === 0 && /^\d+$/.test(value)
}

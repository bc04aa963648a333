import type { BlobPreview, ResultColumn } from '@binnacle/contract'

/** Bytes of a blob that a row on the screen shows. */
export const PREVIEW_BYTES = 1024

/** Characters of a text that a row on the screen shows. */
export const CELL_MAX_CHARS = 256 * 1024

/**
 * CALL-29: encodes a value for the wire. Drivers pass decimals as text. Integers beyond 2⁵³ become text, times
 * ISO 8601 and blobs previews.
 */
export function encodeValue(value: unknown): unknown {
  if (typeof value === 'object' && value !== null) return encodeObject(value)
  if (typeof value === 'bigint') return encodeInteger(value)
  // JSON has no NaN or infinity, so they become text.
  if (typeof value === 'number') return Number.isFinite(value) ? value : String(value)
  if (typeof value === 'string')
    return value.length > CELL_MAX_CHARS ? cutText(value, Buffer.byteLength(value)) : value
  return value ?? null
}

/** STORE-32: the beginning of a text that is too long for a row on the screen. */
export function cutText(text: string, bytes: number): string {
  // Half of a surrogate pair is no character.
  const beginning = text.slice(0, CELL_MAX_CHARS).replace(/[\ud800-\udbff]$/, '')
  // A copy, because a part of a string keeps the whole one in memory.
  return `${Buffer.from(beginning).toString()}… (cut, ${bytes.toLocaleString('en-US')} bytes in all)`
}

/** CALL-30: a repeated name gets the next free number as suffix. */
export function distinctColumns(columns: readonly ResultColumn[]): ResultColumn[] {
  const taken = new Set<string>()
  return columns.map(({ name, type }) => {
    let distinct = name
    for (let nth = 2; taken.has(distinct); nth += 1) distinct = `${name}_${nth}`
    taken.add(distinct)
    return { name: distinct, type }
  })
}

/** A row object without a prototype, so that any column name is safe. */
export function rowOf(columns: readonly ResultColumn[], values: readonly unknown[]): Record<string, unknown> {
  const row: Record<string, unknown> = Object.create(null)
  for (const [index, { name }] of columns.entries()) row[name] = values[index] ?? null
  return row
}

/** Approximate size of a value in the reply. */
export function sizeOf(value: unknown): number {
  if (typeof value === 'string') return value.length + 2
  if (typeof value !== 'object' || value === null) return 8
  return JSON.stringify(value).length
}

function encodeObject(value: object): unknown {
  if (value instanceof Uint8Array) return encodeBlob(value)
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? null : value.toISOString()
  if (Array.isArray(value)) return value.map(encodeValue)
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, encodeValue(item)]))
}

function encodeInteger(value: bigint): number | string {
  const isSafe = value >= Number.MIN_SAFE_INTEGER && value <= Number.MAX_SAFE_INTEGER
  return isSafe ? Number(value) : String(value)
}

function encodeBlob(bytes: Uint8Array): BlobPreview {
  const shown = bytes.subarray(0, PREVIEW_BYTES)
  return { $blob: Buffer.from(shown).toString('base64'), bytes: bytes.length }
}

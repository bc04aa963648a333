import type { BlobPreview, ResultColumn } from '@binnacle/contract'

/** Bytes of a blob that a row on the screen shows. */
export const PREVIEW_BYTES = 1024

/**
 * CALL-29: encodes a value for the wire. Drivers pass decimals as text. Integers beyond 2⁵³ become text, times
 * ISO 8601 and blobs previews.
 */
export function encodeValue(value: unknown): unknown {
  if (typeof value === 'object' && value !== null) return encodeObject(value)
  if (typeof value === 'bigint') return encodeInteger(value)
  // JSON has no NaN or infinity, so they become text.
  if (typeof value === 'number') return Number.isFinite(value) ? value : String(value)
  return value ?? null
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

import type { ResultColumn } from '@binnacle/contract'
import type { ExportCell, ExportColumn } from '#export-form.ts'

/** `any` is a reply of any shape, as JSON. */
export function exportColumn({ name, type }: ResultColumn): ExportColumn {
  if (type === 'any') return { name, type, json: 'json', parquet: 'JSON' }
  if (type === 'seconds') return { name, type, json: 'number', parquet: 'DOUBLE' }
  if (type === 'integer') return { name, type, json: 'number', parquet: 'UINTEGER' }
  return { name, type, json: 'text', parquet: 'VARCHAR' }
}

/** The cell of a value in a column of this type. */
export function exportCell(value: unknown, { json }: Pick<ExportColumn, 'json'>): ExportCell {
  if (value === null || value === undefined) return null
  if (json === 'json') return JSON.stringify(jsonOf(value))
  return Buffer.isBuffer(value) ? escapeBytes(value) : String(value)
}

/** Strings of Redis are bytes, so all of them are escaped; integers stay numbers. */
function jsonOf(value: unknown): unknown {
  if (Buffer.isBuffer(value)) return escapeBytes(value)
  if (Array.isArray(value)) return value.map(jsonOf)
  if (value instanceof Map) {
    return Object.fromEntries([...value].map(([name, item]) => [String(jsonOf(name)), jsonOf(item)]))
  }
  return value
}

/**
 * Bytes as text: what is valid UTF-8 as it is, any other byte as `\xHH`, and a backslash as `\\`. It can be reversed for
 * any bytes.
 */
function escapeBytes(bytes: Buffer): string {
  const text = bytes.toString('utf8')
  if (!text.includes('\uFFFD')) return text.replaceAll('\\', '\\\\')
  let escaped = ''
  for (let at = 0; at < bytes.length; ) {
    const length = characterLength(bytes, at)
    if (length === 0) escaped += `\\x${bytes.toString('hex', at, at + 1)}`
    else escaped += bytes.toString('utf8', at, at + length).replace('\\', '\\\\')
    at += Math.max(1, length)
  }
  return escaped
}

/** The bytes of the UTF-8 character at this position; 0 when there is none. */
function characterLength(bytes: Buffer, at: number): number {
  const first = bytes[at] ?? 0
  if (first < 0x80) return 1
  const length = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2
  const character = bytes.subarray(at, at + length)
  return Buffer.from(character.toString('utf8')).equals(character) ? length : 0
}

import { BlobPreview } from '@binnacle/contract'
import { formatBytes } from '#format/bytes.ts'

/** A cell holds about this many characters on one line. */
const ROOM = 44

/** Any JSON value as the text a person reads; that a null is no text is shown by the cell. */
export function cellText(value: unknown): string {
  if (value === undefined) return ''
  if (typeof value === 'string') return value
  const blob = BlobPreview.safeParse(value)
  return blob.success ? `blob, ${formatBytes(blob.data.bytes)}` : JSON.stringify(value)
}

/** Numbers sort as numbers, everything else as the text it shows; null sorts as nothing. */
export function sortValue(value: unknown): string | number | null {
  if (value === null) return null
  return typeof value === 'number' ? value : cellText(value)
}

export function isLong(text: string): boolean {
  return text.length > ROOM || text.includes('\n')
}

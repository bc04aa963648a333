import { RESULT_BYTE_CAP, RESULT_ROW_CAP } from '@binnacle/contract'
import { StoreRefusal } from '#database/drivers/store-refusal.ts'
import type { Asked } from './asked.ts'

/** STORE-12: the items one command may send or change, those it may look at, and the bytes it may go through. */
export const MOST_ITEMS = RESULT_ROW_CAP
export const MOST_SEEN = 10 * MOST_ITEMS
export const MOST_BYTES = RESULT_BYTE_CAP

interface Load {
  key: Buffer
  /** A command that does it in steps; {} stands for the key. */
  instead: string
}

export function checkItems(
  { name }: Asked,
  { items, most = MOST_ITEMS, key, instead }: Load & { items: number; most?: number },
): void {
  if (items <= most) return
  const much = Number.isFinite(items) ? `${told(items)} items` : 'who knows how many items'
  throw tooMuch(`${name} would go through ${much} of ${shown(key)}`, `${told(most)} of them`, instead, key)
}

export function checkBytes(
  { name }: Asked,
  { bytes, most = MOST_BYTES, key, instead }: Load & { bytes: number; most?: number },
): void {
  if (bytes <= most) return
  throw tooMuch(
    `${name} would go through ${mebibytes(bytes)} of ${shown(key)}`,
    mebibytes(most),
    instead,
    key,
  )
}

/** For an option that says how much: it must be there with a number in bounds. */
export function checkOption(
  { name }: Asked,
  option: string,
  { value, least = 1, most = MOST_ITEMS }: { value: string | undefined; least?: number; most?: number },
): void {
  const number = value !== undefined && /^\d{1,15}$/.test(value) ? Number(value) : Number.NaN
  if (number >= least && number <= most) return
  throw refused(
    `${name} takes a number from ${told(least)} to ${told(most)} after ${option} here, since Redis serves nobody else meanwhile.`,
  )
}

export function refused(sentence: string): StoreRefusal {
  return new StoreRefusal('store.refused', sentence)
}

function tooMuch(what: string, most: string, instead: string, key: Buffer): StoreRefusal {
  return refused(
    `${what}, and Redis serves nobody else meanwhile; at most ${most} at once. Use ${instead.replaceAll('{}', () => shown(key))}.`,
  )
}

/** A name that can be typed as it is; any other is only called a key. */
function shown(key: Buffer): string {
  const name = key.toString('utf8')
  return /^[\w:./@-]{1,60}$/.test(name) ? name : 'key'
}

function told(count: number): string {
  return count.toLocaleString('en-US')
}

function mebibytes(bytes: number): string {
  return `${told(Math.ceil(bytes / 1024 ** 2))} MiB`
}

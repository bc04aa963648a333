import type { RESULT_BYTE_CAP, RESULT_ROW_CAP } from '@binnacle/contract'
import { StoreRefusal } from '#store-refusal.ts'
import type { PendingCommand } from './cost-check.ts'

/**
 * STORE-12: limits of one command: items returned or changed, items scanned, bytes processed. The compiler compares them
 * with the caps of the contract, whose schemas take longer to load than the drivers.
 */
export const MAX_ITEMS: number = 10_000 satisfies typeof RESULT_ROW_CAP
export const MAX_SCANNED_ITEMS = 10 * MAX_ITEMS
export const MAX_BYTES: number = 16_777_216 satisfies typeof RESULT_BYTE_CAP

interface KeyCost {
  key: Buffer
  /** An alternative that works in steps; {} stands for the key. */
  instead: string
}

export function checkItems(
  { name }: PendingCommand,
  { items, max = MAX_ITEMS, key, instead }: KeyCost & { items: number; max?: number },
): void {
  if (items <= max) return
  const much = Number.isFinite(items) ? `${formatCount(items)} items` : 'an unknown number of items'
  throw tooMuch(
    `${name} would process ${much} of ${displayName(key)}`,
    `${formatCount(max)} items`,
    instead,
    key,
  )
}

export function checkBytes(
  { name }: PendingCommand,
  { bytes, max = MAX_BYTES, key, instead }: KeyCost & { bytes: number; max?: number },
): void {
  if (bytes <= max) return
  throw tooMuch(
    `${name} would process ${mebibytes(bytes)} of ${displayName(key)}`,
    mebibytes(max),
    instead,
    key,
  )
}

/** Checks an option whose value limits the work. */
export function checkOption(
  { name }: PendingCommand,
  option: string,
  { value, min = 1, max = MAX_ITEMS }: { value: string | undefined; min?: number; max?: number },
): void {
  const number = value !== undefined && /^\d{1,15}$/.test(value) ? Number(value) : Number.NaN
  if (number >= min && number <= max) return
  throw refused(
    `${name}: ${option} must be a number from ${formatCount(min)} to ${formatCount(max)}, because Redis serves no other client meanwhile.`,
  )
}

export function refused(sentence: string): StoreRefusal {
  return new StoreRefusal('store.refused', sentence)
}

function tooMuch(what: string, max: string, instead: string, key: Buffer): StoreRefusal {
  return refused(
    `${what}, which blocks Redis for all clients; the limit is ${max}. Use ${instead.replaceAll('{}', () => displayName(key))}.`,
  )
}

/** The key, if it can be typed without quotes; else 'key'. */
function displayName(key: Buffer): string {
  const name = key.toString('utf8')
  return /^[\w:./@-]{1,60}$/.test(name) ? name : 'key'
}

function formatCount(count: number): string {
  return count.toLocaleString('en-US')
}

function mebibytes(bytes: number): string {
  return `${formatCount(Math.ceil(bytes / 1024 ** 2))} MiB`
}

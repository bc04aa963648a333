import {
  type Instruments,
  type OrderTimeline,
  type OrderView,
  type TimelineEntry,
  viewTimelineEntries,
} from '@binnacle/engine'
import type { JournalReader } from '#storage/journal/journal-store.ts'

/** An order that works for long may have more entries between its placing and its end than are read. */
const MAX_ENTRIES = 200_000

/** Reads what the journal holds about an order. */
export async function readOrderTimeline(
  journal: Pick<JournalReader, 'search'>,
  order: OrderView,
  instruments: Instruments,
  to: number,
): Promise<OrderTimeline> {
  const entries: TimelineEntry[] = []
  const query = { words: `"${order.id}"`, from: order.createdAt, to, maxEntries: MAX_ENTRIES }
  for await (const entry of journal.search(query))
    entries.push(...viewTimelineEntries(entry, order, instruments))
  return { entries, isComplete: isComplete(entries, order) }
}

function isComplete(entries: readonly TimelineEntry[], { status, filled }: OrderView): boolean {
  if (status === 'PENDING') return true
  if (entries.some(({ event }) => ENDS.has(event))) return true
  const fills = entries.filter(({ event }) => event === 'OrderFilled')
  const recorded = fills.reduce((sum, { quantity = 0 }) => sum + quantity, 0)
  // The sum of decimals may be off by less than any lot.
  return status === 'FILLED' && recorded > filled - 1e-9
}

const ENDS = new Set<string>(['OrderDenied', 'OrderCancelled', 'OrderRejected'])

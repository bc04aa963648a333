import {
  type Instruments,
  type OrderTrail,
  type OrderView,
  type TrailStep,
  viewTrailSteps,
} from '@binnacle/engine'
import type { JournalReader } from '#storage/journal/journal-store.ts'

/** An order that works for long may have more entries between its placing and its end than are read. */
const MAX_ENTRIES = 200_000

/** Reads what the journal holds about an order. */
export async function readTrail(
  journal: Pick<JournalReader, 'search'>,
  order: OrderView,
  instruments: Instruments,
  to: number,
): Promise<OrderTrail> {
  const steps: TrailStep[] = []
  const query = { words: `"${order.id}"`, from: order.createdAt, to, maxEntries: MAX_ENTRIES }
  for await (const entry of journal.search(query)) steps.push(...viewTrailSteps(entry, order, instruments))
  return { steps, isComplete: order.status === 'PENDING' || steps.some(({ event }) => ENDS.has(event)) }
}

const ENDS = new Set<string>(['OrderDenied', 'OrderFilled', 'OrderCancelled', 'OrderRejected'])

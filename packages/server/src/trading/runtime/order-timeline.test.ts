import { type JournalEntry, type OrderView, standardInstruments } from '@binnacle/engine'
import { anEntry } from '@binnacle/engine/testkit'
import { expect, test } from 'vitest'
import { readOrderTimeline } from './order-timeline.ts'

/** 0.1 and 0.2 BTC, of an order for 0.3. */
const FIRST = entryWith({ type: 'OrderFilled', orderId: 'O-1', quantity: 10_000, price: 5_000_000 })
const SECOND = entryWith({ type: 'OrderFilled', orderId: 'O-1', quantity: 20_000, price: 5_000_000 })
const CANCELLED = entryWith({ type: 'OrderCancelled', orderId: 'O-1', cause: { code: 'cancel.asked' } })

test.each([
  ['FILLED', 'all of its fills', [FIRST, SECOND], true],
  ['FILLED', 'one of its fills', [FIRST], false],
  ['CANCELLED', 'its cancel', [FIRST, CANCELLED], true],
  ['CANCELLED', 'a fill alone', [FIRST], false],
  ['PENDING', 'a fill', [FIRST], true],
] as const)('[ORD-560] the timeline of a %s order with %s', async (status, _, entries, isComplete) => {
  // Of an order the timeline needs no more than these.
  const order = {
    id: 'O-1',
    instrument: 'BTCUSDT',
    status,
    filled: 0.3,
    createdAt: 0,
  } as unknown as OrderView
  async function* search() {
    yield* entries
  }
  const timeline = await readOrderTimeline({ search }, order, standardInstruments(), 1)
  expect(timeline.isComplete).toBe(isComplete)
})

function entryWith(event: object): JournalEntry {
  const money = { fee: 0n, realised: 0n }
  // Plain numbers stand for lots, ticks and ids.
  return { ...anEntry(1), events: [{ ...money, ...event }] as unknown as JournalEntry['events'] }
}

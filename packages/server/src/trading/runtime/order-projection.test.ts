import { createHardState, createViews, type JournalEntry, standardInstruments } from '@binnacle/engine'
import { temporaryFolder } from '@binnacle/stores/testkit'
import { expect, onTestFinished, test } from 'vitest'
import type { JournalStore } from '#storage/journal/journal-store.ts'
import { openOrderHistory } from '#storage/orders/order-history.ts'
import { OrderProjection } from './order-projection.ts'

test('[ENGINE-304] an order history that cannot be written is reported once and written again later', () => {
  const instruments = standardInstruments()
  const history = openOrderHistory(`${temporaryFolder()}/orders.sqlite`)
  onTestFinished(() => history.close())
  let [nowMs, attempts, isBroken] = [0, 0, true]
  const notes: string[] = []
  const projection = new OrderProjection(
    {
      // The only part that the projection reads.
      journal: { chainLinkAt: (seq: number) => ({ seq, chain: 7 }) } as unknown as JournalStore,
      history: {
        ...history,
        add(...rows) {
          attempts += 1
          if (isBroken) throw new Error('disk I/O error')
          history.add(...rows)
        },
      },
      instruments,
      warn: (event, message) => notes.push(`${event}: ${message}`),
      now: () => nowMs,
    },
    0,
  )
  const views = createViews(instruments, createHardState())
  const take = (seq: number) => {
    projection.apply({ seq, at: 0, events: [] } as unknown as JournalEntry, views)
    projection.flush()
  }
  for (let seq = 1; seq <= 10; seq++) take(seq)
  expect(attempts).toBe(1)
  nowMs = 5_000
  take(11)
  isBroken = false
  take(12)
  expect([attempts, history.position()]).toEqual([2, { seq: 0, chain: 0 }])
  nowMs = 10_000
  take(13)
  expect([attempts, history.position()]).toEqual([3, { seq: 13, chain: 7 }])
  expect(notes).toEqual([
    'history.not-written: The order history cannot be written: disk I/O error. Its rows wait in memory; writing is repeated every 5 seconds.',
    'history.written: The order history is written again.',
  ])
})

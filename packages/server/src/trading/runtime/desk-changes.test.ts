import { type DeskChange, standardInstruments } from '@binnacle/engine'
import { anOrder, aQuote } from '@binnacle/engine/testkit'
import { expect, test } from 'vitest'
import { type InMemoryDesk, openInMemoryDesk } from './in-memory-desk.ts'
import { wallClock } from './wall-clock.ts'

async function aFollowedDesk() {
  const desk = await openInMemoryDesk()
  const changes: DeskChange[] = []
  const stop = desk.onChange((change) => changes.push(change))
  return { desk, changes, stop }
}

async function fillAnOrder(desk: InMemoryDesk) {
  desk.accept(aQuote(standardInstruments(), { at: wallClock.now() }))
  await desk.submit(anOrder({ quantity: 0.01 }))
  await desk.idle()
}

test('each change of an order is reported with its revision and the row as it then was', async () => {
  const { desk, changes } = await aFollowedDesk()
  await fillAnOrder(desk)
  const statuses = changes.flatMap((change) =>
    change.kind === 'rows' ? change.orders.map(({ status }) => [change.revision, status]) : [],
  )
  expect(statuses).toEqual([
    [2, 'PENDING'],
    [3, 'FILLED'],
  ])
  expect(desk.rows.revision).toBe(3)
})

test('a fill also changes positions, strategies and figures, and a price only what is computed from it', async () => {
  const { desk, changes } = await aFollowedDesk()
  await fillAnOrder(desk)
  expect(changes.at(0)).toEqual({ kind: 'marks', revision: 1 })
  const last = changes.at(-1)
  expect(last?.kind === 'rows' && [...last.rows].sort()).toEqual([
    'account',
    'positions',
    'risk',
    'strategies',
  ])
})

test('a listener that was removed is not called', async () => {
  const { desk, changes, stop } = await aFollowedDesk()
  stop()
  await fillAnOrder(desk)
  expect(changes).toEqual([])
})

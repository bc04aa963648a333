import { type DeskChange, standardInstruments } from '@binnacle/engine'
import { anOrder, aQuote } from '@binnacle/engine/testkit'
import { expect, test } from 'vitest'
import { type InMemoryDesk, openInMemoryDesk } from '#testkit/in-memory-desk.ts'
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
  const desk = await openInMemoryDesk()
  const reported: unknown[] = []
  desk.onChange((change) => {
    if (change.kind !== 'views') return
    const { revision, orders, fills, orderCount, fillCount, hasRefusals } = change
    reported.push([revision, ...orders.map(({ status }) => status), fills.length])
    expect([orderCount, fillCount, hasRefusals]).toEqual([orders.length, fills.length, false])
  })
  await fillAnOrder(desk)
  expect(reported).toEqual([
    [2, 'PENDING', 0],
    [3, 'FILLED', 1],
  ])
  expect(desk.views.revision).toBe(3)
})

test('a fill also changes positions, strategies and figures, and a price only what is computed from it', async () => {
  const { desk, changes } = await aFollowedDesk()
  await fillAnOrder(desk)
  expect(changes.at(0)).toEqual({ kind: 'marks', revision: 1 })
  const last = changes.at(-1)
  expect(last?.kind === 'views' && [...last.views].sort()).toEqual([
    'account',
    'positions',
    'risk',
    'strategies',
  ])
})

test('a change of orders that is first read after the next entry is a bug, not the rows of another entry', async () => {
  const { desk, changes } = await aFollowedDesk()
  await fillAnOrder(desk)
  const [placed, filled] = changes.filter((change) => change.kind === 'views')
  expect(() => placed?.orders).toThrow('a change is read after the next entry: 2')
  expect(filled?.orders).toHaveLength(1)
})

test('a denied order is a change with refusals', async () => {
  const { desk, changes } = await aFollowedDesk()
  // Without a quote.
  await desk.submit(anOrder({ quantity: 0.01 }))
  expect(changes.at(-1)).toMatchObject({ kind: 'views', hasRefusals: true, orderCount: 1, fillCount: 0 })
})

test('a listener that was removed is not called', async () => {
  const { desk, changes, stop } = await aFollowedDesk()
  stop()
  await fillAnOrder(desk)
  expect(changes).toEqual([])
})

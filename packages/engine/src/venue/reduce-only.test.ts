import { beforeEach, expect, test } from 'vitest'
import { decodeSnapshot, encodeSnapshot } from '#journal/snapshot.ts'
import { aQuote } from '#testkit/builders.ts'
import { createLab, type Lab } from '#testkit/lab.ts'
import { idFrom, type OrderId, type PositionId } from '#values/ids.ts'
import { netQuantityFromLots } from '#values/quantity.ts'
import { createSimulatedVenue } from './simulated-venue.ts'

const limits = { maxOrderSize: 1e6, maxPositionSize: 1e6, maxDailyLoss: 1e6, maxPositions: 10 }
const sell = (price: number, quantity: number) =>
  ({ orderType: 'LIMIT', side: 'SELL', price, quantity }) as const
/** Can be sold short. */
const traded = 'BTCUSDT-PERP'

let lab: Lab
/** 0.3 are held. */
beforeEach(() => {
  lab = createLab({ traded, opening: { cash: 1e6, limits } })
  lab.quote({ bid: 50_000, ask: 50_001, size: 5 })
  lab.place({ quantity: 0.3 })
})

test.each(['goes on', 'is restarted'])(
  '[RISK-27] one quote that fills all leaves no short of a reduce-only order when the desk %s',
  (what) => {
    const large = lab.place({ ...sell(51_000, 0.3), reduceOnly: true })
    const small = [lab.place(sell(50_500, 0.1)), lab.place(sell(50_500, 0.1))]
    if (what === 'is restarted') {
      const state = decodeSnapshot(encodeSnapshot(lab.state))
      lab = createLab({ traded, state, at: lab.now })
    }
    lab.quote({ bid: 52_000, ask: 52_001, size: 5 })
    expect(small.map(({ id }) => lab.order(id).state)).toEqual(['FILLED', 'FILLED'])
    expect(lab.order(large.id)).toMatchObject({
      state: 'CANCELLED',
      filled: 10_000,
      reason: { code: 'cancel.nothing-to-reduce' },
    })
    expect(held()).toEqual([])
  },
)

test('[RISK-27] [RISK-39] a reduce-only order for which nothing is left fills nothing', () => {
  const large = lab.place({ ...sell(51_000, 0.3), reduceOnly: true })
  lab.place(sell(50_500, 0.4))
  lab.quote({ bid: 52_000, ask: 52_001, size: 5 })
  expect(large).toMatchObject({ state: 'CANCELLED', filled: 0 })
  expect(held()).toEqual([-10_000])
})

test('[RISK-27] what a reduce-only order may not give is asked of those behind it', () => {
  lab.place(sell(50_500, 0.2))
  const large = lab.place({ ...sell(51_000, 0.1), reduceOnly: true })
  lab.place(sell(50_500, 0.1))
  const behind = lab.place(sell(51_500, 0.1))
  lab.quote({ bid: 50_499, ask: 52_000, size: 5 })
  lab.trade({ price: 51_500, size: 0.35, aggressor: 'BUY' })
  expect(large).toMatchObject({ state: 'CANCELLED', filled: 0 })
  expect(behind.filled).toBe(5_000)
})

test('[RISK-27] another strategy has nothing to do with it', () => {
  const large = lab.place({ ...sell(51_000, 0.3), reduceOnly: true })
  const other = lab.runStrategy('momentum', { instrument: traded })
  lab.place({ ...sell(50_500, 0.3), strategy: other })
  lab.quote({ bid: 52_000, ask: 52_001, size: 5 })
  expect(large).toMatchObject({ state: 'FILLED', filled: 30_000 })
  expect(held()).toEqual([-30_000])
})

test('[RISK-27] a stop that fires before its cut arrives fills no more than is left', () => {
  beFar()
  const stop = lab.place({ orderType: 'STOP', side: 'SELL', price: 49_000, quantity: 0.3, reduceOnly: true })
  lab.place({ side: 'SELL', quantity: 0.2 })
  lab.wait(100)
  expect(stop).toMatchObject({ quantity: 30_000, change: { quantity: 10_000 } })
  lab.quote({ bid: 48_900, ask: 48_901, size: 5 })
  expect(stop).toMatchObject({ state: 'CANCELLED', filled: 10_000 })
  expect(stop.reason).toEqual({ code: 'cancel.nothing-to-reduce' })
  expect(held()).toEqual([])
})

test('[RISK-27] a close whose position is sold while it is on its way opens no other', () => {
  beFar()
  lab.place(sell(50_500, 0.2))
  lab.wait(100)
  const answer = lab.run({ type: 'ClosePosition', positionId: idFrom<PositionId>('P-1') })
  lab.quote({ bid: 50_600, ask: 50_601, size: 5 })
  lab.wait(100)
  expect(answer).toMatchObject({ ok: true, orderId: 'O-3' })
  expect(lab.order(idFrom<OrderId>('O-3'))).toMatchObject({ filled: 10_000, state: 'CANCELLED' })
  expect(held()).toEqual([])
})

test('[RISK-27] an order that is resent before its fill is reported fills once, so that the position stays right', () => {
  beFar()
  lab.place({ quantity: 0.1 })
  const requests = lab.engine.createResendRequests()
  const reports: string[] = []
  const venue = createSimulatedVenue({ instruments: lab.instruments })
  venue.onReports((all) => reports.push(...all.map(({ type }) => type)))
  venue.observe(aQuote(lab.instruments, { instrument: traded }))
  for (const message of [...requests, ...requests]) venue.send(message, lab.now)
  expect(reports.filter((type) => type === 'filled')).toHaveLength(1)
})

test('[RISK-27] a fill-or-kill order to reduce more than is held is denied', () => {
  const order = lab.place({ ...sell(50_000, 0.4), timeInForce: 'FOK', reduceOnly: true })
  expect(order).toMatchObject({ state: 'DENIED', reason: { code: 'reduce-only.adds', position: 0.3 } })
})

test.each([
  { lots: 30_000, outcome: ['accepted', 'filled'] },
  { lots: 20_000, outcome: ['accepted', 'cancel.remainder'] },
  { lots: 0, outcome: ['accepted', 'cancel.nothing-to-reduce'] },
])(
  '[RISK-27] a fill-or-kill order to reduce 30,000 lots fills whole or not at all when $lots are left',
  (given) => {
    beFar()
    lab.place({ ...sell(50_000, 0.3), timeInForce: 'FOK', reduceOnly: true })
    const requests = lab.engine.createResendRequests()
    const venue = createSimulatedVenue({ instruments: lab.instruments })
    const outcomes: string[] = []
    venue.onReports((all) => {
      for (const report of all) {
        if ('orderId' in report) outcomes.push(report.type === 'cancelled' ? report.cause.code : report.type)
      }
    })
    venue.observe(aQuote(lab.instruments, { instrument: traded }))
    for (const message of requests) {
      const lots = netQuantityFromLots(given.lots)
      venue.send(message.type === 'restore-position' ? { ...message, lots } : message, lab.now)
    }
    expect(outcomes).toEqual(given.outcome)
  },
)

/** From now on a message takes a tenth of a second to the venue, and none back. */
function beFar(): void {
  const state = decodeSnapshot(encodeSnapshot(lab.state))
  lab = createLab({ traded, state, at: lab.now, latency: { outboundMs: () => 100, inboundMs: () => 0 } })
  lab.wait(100)
  lab.quote({ bid: 50_000, ask: 50_001, size: 5 })
}

function held(): number[] {
  return [...lab.state.positions.open.values()].map((position) => position.quantity)
}

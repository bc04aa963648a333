import { describe, expect, test } from 'vitest'
import { createInstruments, standardInstruments } from '#market/instruments.ts'
import { createRandom } from '#market/random.ts'
import type { Event } from '#model/event.ts'
import { anOrder } from '#testkit/builders.ts'
import { createLab } from '#testkit/lab.ts'
import { instantFromMs } from '#values/instant.ts'
import { createLatency } from './latency.ts'
import { SimulatedLink } from './simulated-link.ts'
import { createSimulatedVenue } from './simulated-venue.ts'

const roomy = {
  limits: { maxOrderSize: 1e6, maxPositionSize: 1e6, maxDailyLoss: 1e6, maxPositions: 10 },
  cash: 1e6,
}

describe('funding', () => {
  const PERP = 'BTCUSDT-PERP'
  const HOUR_MS = 3_600_000
  const paidIn = (events: readonly Event[]) => events.filter(({ type }) => type === 'FundingPaid')

  test('[POS-201] is charged once when an order arrives in the step that crosses the settlement', () => {
    const lab = createLab({ traded: PERP, opening: roomy })
    lab.quote({ bid: 50_000, ask: 50_000.01, size: 10 })
    lab.place({ quantity: 1 })
    lab.wait(HOUR_MS)
    lab.quote({ bid: 50_000, ask: 50_000.01, size: 10 })
    lab.run({ type: 'ChangeTradingState', to: 'ACTIVE' })
    const settledAt = instantFromMs(Date.UTC(2026, 0, 5, 16))
    const order = anOrder({ instrument: PERP, orderType: 'LIMIT', price: 40_000, quantity: 0.1 })
    const command = { kind: 'command', by: null, requestId: null, command: order } as const
    const paid = paidIn(lab.watch(() => lab.process({ ...command, at: instantFromMs(settledAt + 1) })))
    expect(paid).toMatchObject([{ instrument: PERP, settledAt }])
    const waited = settledAt + 100 - lab.now
    expect(paidIn(lab.watch(() => lab.wait(waited)))).toEqual([])
    expect(paidIn(lab.watch(() => lab.wait(8 * HOUR_MS)))).toHaveLength(1)
  })

  test('[POS-201] is charged over a link when a message is due at the settlement', () => {
    const latency = { outboundMs: () => 50, inboundMs: () => 0 }
    const instruments = standardInstruments()
    const binance = createInstruments(instruments.all.filter(({ venue }) => venue === 'BINANCE'))
    const link = new SimulatedLink({ venue: 'BINANCE', instruments: binance, latency })
    const settledAt = Date.UTC(2026, 0, 5, 16)
    const lab = createLab({
      traded: PERP,
      opening: { ...roomy, venues: ['BINANCE'] },
      instruments: binance,
      venue: link,
      at: instantFromMs(settledAt - 10_000),
    })
    for (let step = 0; step < 3; step++) lab.wait(1_000)
    lab.quote({ bid: 50_000, ask: 50_000.01, size: 10 })
    lab.place({ quantity: 1 })
    lab.wait(settledAt - 25 - lab.now)
    expect(lab.state.positions.open.size).toBe(1)
    lab.place({ orderType: 'LIMIT', price: 40_000, quantity: 0.1 })
    expect(paidIn(lab.watch(() => lab.wait(50)))).toMatchObject([{ instrument: PERP, settledAt }])
  })
})

describe('latency', () => {
  const slow = { outboundMs: () => 40, inboundMs: () => 60 }

  test('an order meets the market at its arrival, and its report takes time as well', () => {
    const lab = createLab({ latency: slow, opening: roomy })
    lab.wait(200)
    lab.quote({ bid: 50_000, ask: 50_001 })
    const order = lab.place({ quantity: 0.1 })
    lab.wait(30)
    lab.quote({ bid: 50_010, ask: 50_011 })
    expect(order.state).toBe('SUBMITTED')
    lab.wait(69)
    expect(order.state).toBe('SUBMITTED')
    lab.wait(60)
    expect(order.state).toBe('FILLED')
    expect(lab.events.at(-1)).toMatchObject({ type: 'OrderFilled', price: 5_001_100 })
  })

  test('[ORD-15] [ORD-24] a stop that the market passes on its way is rejected, and so is a change of one', () => {
    const lab = createLab({ traded: 'BTCUSDT-PERP', latency: slow, opening: roomy })
    lab.wait(200)
    lab.quote({ bid: 50_000, ask: 50_001 })
    const stop = { orderType: 'STOP', side: 'SELL', quantity: 0.1 } as const
    const waiting = lab.place({ ...stop, price: 49_000 })
    lab.wait(200)
    const late = lab.place({ ...stop, price: 49_990 })
    lab.run({ type: 'ModifyOrder', orderId: waiting.id, price: 49_980 })
    lab.wait(30)
    lab.quote({ bid: 49_900, ask: 49_901 })
    lab.wait(200)
    lab.wait(200)
    const reason = { code: 'stop.past-market', side: 'SELL', price: 49_990, market: 49_900 }
    expect(late).toMatchObject({ state: 'REJECTED', reason })
    expect(waiting).toMatchObject({ state: 'WORKING', price: 4_900_000, change: null })
    expect(lab.events.at(-1)).toMatchObject({
      type: 'OrderChangeRejected',
      reason: { ...reason, price: 49_980 },
    })
  })

  test('the same seed draws the same delays, around what is typical', () => {
    const draw = (seed: number) => {
      const latency = createLatency(20, createRandom(seed))
      return Array.from({ length: 200 }, () => latency.outboundMs())
    }
    expect(draw(1)).toEqual(draw(1))
    expect(draw(1)).not.toEqual(draw(2))
    expect(Math.min(...draw(1))).toBeGreaterThanOrEqual(14)
    const mean = draw(1).reduce((sum, ms) => sum + ms, 0) / 200
    expect(mean).toBeGreaterThan(17)
    expect(mean).toBeLessThan(24)
  })
})

describe('connections', () => {
  test('three venues are connected and two are not', () => {
    const lab = createLab()
    expect([...lab.state.connected]).toEqual(['BINANCE', 'BYBIT', 'OKX'])
  })

  test('an order for a disconnected venue is denied with its name', () => {
    const lab = createLab()
    lab.quote({ instrument: 'BTCUSDT.COINBASE' })
    expect(lab.place({ instrument: 'BTCUSDT.COINBASE' })).toMatchObject({
      state: 'DENIED',
      reason: { code: 'venue.disconnected', venue: 'COINBASE' },
    })
  })

  test('a venue that is connected gets its market and its orders', () => {
    const lab = createLab()
    expect(
      lab.watch(() => lab.run({ type: 'ConnectVenue', venue: 'COINBASE' })).map(({ type }) => type),
    ).toEqual(['VenueSwitched', 'VenueConnected'])
    lab.quote({ instrument: 'BTCUSDT.COINBASE' })
    expect(lab.place({ instrument: 'BTCUSDT.COINBASE', quantity: 0.1 }).state).toBe('FILLED')
  })

  test('before a venue is disconnected its working orders are taken back, and only its own', () => {
    const lab = createLab({ opening: roomy })
    lab.quote({})
    lab.quote({ instrument: 'BTCUSDT.OKX' })
    const here = lab.place({ orderType: 'LIMIT', price: 40_000 })
    const there = lab.place({ orderType: 'LIMIT', price: 40_000, instrument: 'BTCUSDT.OKX' })
    lab.run({ type: 'DisconnectVenue', venue: 'OKX' })
    expect(there).toMatchObject({
      state: 'CANCELLED',
      reason: { code: 'cancel.venue-disconnected', venue: 'OKX' },
    })
    expect(here.state).toBe('WORKING')
    expect(lab.state.connected.has('OKX')).toBe(false)
    const before = lab.engine.computeLiveFigures().marks.bid.slice()
    lab.quote({ instrument: 'BTCUSDT.OKX', bid: 1 })
    expect(lab.engine.computeLiveFigures().marks.bid).toEqual(before)
  })

  test('switching to where it already is changes nothing', () => {
    const lab = createLab()
    expect(lab.watch(() => lab.run({ type: 'ConnectVenue', venue: 'OKX' }))).toEqual([])
  })
})

describe('the venue itself', () => {
  test('an order that did not pass risk is a bug, not an order', () => {
    const lab = createLab()
    const venue = createSimulatedVenue({ instruments: lab.instruments })
    const terms = { ...lab.place({ orderType: 'LIMIT', price: 1 }).terms }
    const forged = { orderId: 'O-9', terms, quantity: 1, price: 1, filled: 0, isTriggered: false, fills: 0 }
    // The compiler refuses this too; the cast stands for code that got around it.
    expect(() => venue.send({ type: 'submit', order: forged as never }, lab.now)).toThrow('did not pass risk')
  })

  test('our own orders never trade with one another', () => {
    const lab = createLab({ opening: roomy })
    lab.quote({ bid: 50_000, ask: 50_100, size: 1 })
    const sell = lab.place({ orderType: 'LIMIT', side: 'SELL', price: 50_050, quantity: 0.1 })
    const buy = lab.place({ orderType: 'LIMIT', side: 'BUY', price: 50_060, quantity: 0.1 })
    expect([sell.filled, buy.filled]).toEqual([0, 0])
  })
})

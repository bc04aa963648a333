import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createRandom, type Random } from '#market/random.ts'
import type { Event } from '#model/event.ts'
import type { OrderTerms } from '#model/order.ts'
import { positionKey } from '#model/position.ts'
import type { TradingState } from '#model/risk.ts'
import { generated } from '#testkit/generated.ts'
import { HISTORY_INSTRUMENTS, liveRandomStep, liveReducingStep, openMarket } from '#testkit/histories.ts'
import { createLab, type Lab } from '#testkit/lab.ts'
import type { OrderId } from '#values/ids.ts'
import { createLatency } from '#venue/latency.ts'

/** One strategy in one instrument, computed in plain decimals from every order. */
interface Book {
  lots: number
  value: number
  working: { BUY: number; SELL: number }
  workingLots: { BUY: number; SELL: number }
}

interface Before {
  tradingState: TradingState
  books: Map<string, Book>
  limits: { order: number; exposure: number; positions: number }
}

test('no sequence of inputs gets an order past a limit', () => {
  let approved = 0
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 2 ** 31 - 1 }), (seed) => {
      const { lab, random } = openHistory(seed)
      for (let step = 0; step < 60; step++) {
        const before = picture(lab)
        const events = lab.watch(() => liveRandomStep(lab, random))
        for (const event of events) mustNotOutgrow(before, event, lab)
        mustOnlyReduce(lab)
        const [first] = events.filter(isApproval)
        if (first) {
          approved += 1
          mustBeWithin(before, first, lab)
        }
      }
    }),
    generated('riskHistories'),
  )
  expect(approved).toBeGreaterThan(1_000)
})

test('[RISK-200] outside ACTIVE no fill opens or grows a position, unless the cancel of its order was requested', () => {
  let reduced = 0
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 2 ** 31 - 1 }), (seed) => {
      const { lab, random } = openHistory(seed)
      for (let step = 0; step < 150; step++) liveReducingStep(lab, random)
      reduced += countReductions(lab.events)
    }),
    generated('riskHistories'),
  )
  expect(reduced).toBeGreaterThan(300)
})

/** In a third of the histories the venues are some time away. */
function openHistory(seed: number): { lab: Lab; random: Random } {
  const random = createRandom(seed)
  const latency = seed % 3 === 0 && { latency: createLatency(50, random.fork('latency')) }
  const lab = createLab({ instruments: HISTORY_INSTRUMENTS, opening: { cash: 20_000 }, ...latency })
  openMarket(lab, random)
  return { lab, random }
}

/** Follows positions by the events alone; returns the number of fills outside ACTIVE, each of which only reduced. */
function countReductions(events: readonly Event[]): number {
  const terms = new Map<OrderId, OrderTerms>()
  const cancelled = new Set<OrderId>()
  const held = new Map<string, number>()
  let [state, reduced] = ['ACTIVE', 0]
  for (const event of events) {
    if (event.type === 'TradingStateChanged') state = event.to
    else if (event.type === 'OrderSubmitted') terms.set(event.orderId, event.terms)
    else if (event.type === 'OrderCancelRequested') cancelled.add(event.orderId)
    if (event.type !== 'OrderFilled') continue
    const { strategy, instrument, side } = terms.get(event.orderId) ?? NO_TERMS
    const key = `${strategy}/${instrument}`
    const before = held.get(key) ?? 0
    const after = before + (side === 'BUY' ? event.quantity : -event.quantity)
    held.set(key, after)
    if (state === 'ACTIVE' || cancelled.has(event.orderId)) continue
    reduced += 1
    const isReduced = Math.sign(after) !== -Math.sign(before) && Math.abs(after) < Math.abs(before)
    if (!isReduced) throw new Error(`${event.orderId} filled while ${state}: ${before} became ${after}`)
  }
  return reduced
}

const NO_TERMS = { strategy: '', instrument: '', side: '' }

type Approval = Extract<Event, { type: 'OrderSubmitted' }>

function isApproval(event: Event): event is Approval {
  return event.type === 'OrderSubmitted'
}

/** What is above max_order_size when it is let through cannot come to open a position of that size. */
function mustNotOutgrow({ limits }: Before, event: Event, lab: Lab): void {
  if (event.type !== 'OrderSubmitted' && event.type !== 'OrderChangeRequested') return
  const { terms, lots } =
    event.type === 'OrderSubmitted'
      ? { terms: event.terms, lots: event.terms.quantity }
      : { terms: lab.order(event.orderId).terms, lots: event.quantity }
  if ((Number(event.valuePerLot) / 1e8) * lots > limits.order + 1e-6) expect(terms.reduceOnly).toBe(true)
}

/** All reduce-only orders of a book together are for no more than is held against them. */
function mustOnlyReduce(lab: Lab): void {
  const wanted = new Map<string, number>()
  for (const order of lab.state.orders.working.values()) {
    const { terms, filled, isCancelRequested } = order
    const { quantity } = order.change ?? order
    // A close on its way goes ahead of the orders that it will cut.
    if (!terms.reduceOnly || isCancelRequested || terms.type === 'MARKET') continue
    const held = lab.state.positions.open.get(positionKey(terms.strategy, terms.instrument))?.quantity ?? 0
    const key = `${terms.strategy} ${terms.instrument} ${terms.side}`
    const lots = (wanted.get(key) ?? 0) + quantity - filled
    wanted.set(key, lots)
    expect(lots).toBeLessThanOrEqual(terms.side === 'BUY' ? -held : held)
  }
}

function mustBeWithin(before: Before, { terms, valuePerLot }: Approval, lab: Lab): void {
  expect(before.tradingState).not.toBe('HALTED')
  const value = (Number(valuePerLot) / 1e8) * terms.quantity
  const book = bookOf(before.books, terms)
  if (reduces(book, terms) || isClose(terms, book)) return
  expect(terms.reduceOnly).toBe(false)
  expect(before.tradingState).toBe('ACTIVE')
  expect(value).toBeLessThanOrEqual(before.limits.order + 1e-6)
  book.working[terms.side] += value
  const books = [...before.books.values()]
  const exposure = books.reduce((sum, one) => sum + worst(one), 0)
  expect(exposure).toBeLessThanOrEqual(before.limits.exposure + 1e-6)
  expect(books.length).toBeLessThanOrEqual(before.limits.positions)
  expect(lab.state.components.RiskEngine.status).toBe('running')
}

function reduces(book: Book, { side, quantity }: OrderTerms): boolean {
  const held = side === 'BUY' ? -book.lots : book.lots
  return held > 0 && book.workingLots[side] + quantity <= held
}

/** The named rule for closes: at most what is held, at the market, reduce-only. */
function isClose({ side, quantity, type, reduceOnly }: OrderTerms, book: Book): boolean {
  return reduceOnly && type === 'MARKET' && quantity <= (side === 'BUY' ? -book.lots : book.lots)
}

function worst({ value, working }: Book): number {
  return Math.max(Math.abs(value + working.BUY), Math.abs(value - working.SELL))
}

function picture(lab: Lab): Before {
  const { risk, positions, orders } = lab.state
  const books = new Map<string, Book>()
  const { marks } = lab.engine.computeLiveFigures()
  for (const position of positions.open.values()) {
    const index = lab.instruments.indexOf(position.instrument)
    const middle = ((marks.bid[index] ?? 0) + (marks.ask[index] ?? 0)) / 2
    const perTickLot = Number(lab.instruments.get(position.instrument).tickLotValue) / 1e8
    const book = bookOf(books, position)
    book.lots = position.quantity
    book.value = position.quantity * middle * perTickLot
  }
  for (const order of orders.working.values()) {
    const book = bookOf(books, order.terms)
    const lots = Math.max(order.quantity, order.change?.quantity ?? 0) - order.filled
    const perLot = Math.max(Number(order.valuePerLot), Number(order.change?.valuePerLot ?? 0)) / 1e8
    book.working[order.terms.side] += lots * perLot
    book.workingLots[order.terms.side] += lots
  }
  return {
    tradingState: risk.tradingState,
    books,
    limits: {
      order: Number(risk.limits.maxOrderSize) / 1e8,
      exposure: Number(risk.limits.maxPositionSize) / 1e8,
      positions: risk.limits.maxPositions,
    },
  }
}

function bookOf(
  books: Map<string, Book>,
  { strategy, instrument }: Pick<OrderTerms, 'strategy' | 'instrument'>,
): Book {
  const key = `${strategy}/${instrument}`
  const book = books.get(key) ?? {
    lots: 0,
    value: 0,
    working: { BUY: 0, SELL: 0 },
    workingLots: { BUY: 0, SELL: 0 },
  }
  books.set(key, book)
  return book
}

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { standardInstruments } from '#market/instruments.ts'
import { generated } from '#testkit/generated.ts'
import { createLab, type Lab } from '#testkit/lab.ts'
import { MANUAL, type OrderId } from '#values/ids.ts'

const roomy = {
  limits: { maxOrderSize: 1e9, maxPositionSize: 1e9, maxDailyLoss: 1e9, maxPositions: 100 },
  cash: 1e9,
}
const instruments = standardInstruments()

const order = fc.record({
  kind: fc.constant('order' as const),
  side: fc.constantFrom('BUY' as const, 'SELL' as const),
  quantity: fc.integer({ min: 1, max: 400 }).map((tenths) => tenths / 10),
  timeInForce: fc.constantFrom('IOC' as const, 'IOC' as const, 'FOK' as const),
  /** Null is at the market. */
  limit: fc.oneof(fc.constant(null), fc.integer({ min: 49_990, max: 50_060 })),
})
const quote = fc.record({
  kind: fc.constant('quote' as const),
  bid: fc.integer({ min: 49_900, max: 50_100 }),
  spread: fc.constantFrom(1, 3, 40),
  size: fc.constantFrom(0.5, 2, 10),
})

/** A lab with a resting order far away keeps the depth in its book; without one the depth is matched outside it. */
function play(steps: readonly Step[], isResting: boolean) {
  const lab = createLab({ opening: roomy, instruments })
  lab.quote({ bid: 50_000, ask: 50_001 })
  if (isResting) lab.place({ orderType: 'LIMIT', price: 1, quantity: 0.001 })
  const before = lab.events.length
  for (const step of steps) takeStep(lab, step)
  return lab.events
    .slice(before)
    .filter(({ type }) => type !== 'HighWaterRaised')
    .map(withoutOtherOrder)
}

type Step =
  | {
      kind: 'order'
      side: 'BUY' | 'SELL'
      quantity: number
      timeInForce: 'IOC' | 'FOK'
      limit: number | null
    }
  | { kind: 'quote'; bid: number; spread: number; size: number }

function takeStep(lab: Lab, step: Step): void {
  if (step.kind === 'quote') lab.quote({ bid: step.bid, ask: step.bid + step.spread, size: step.size })
  else {
    const { side, quantity, timeInForce, limit } = step
    const priced = limit === null ? {} : ({ orderType: 'LIMIT', price: limit } as const)
    lab.place({ strategy: MANUAL, side, quantity, timeInForce, ...priced })
  }
}

const DIFFERENT = ['orderId', 'positionId', 'basis']

/** One lab has an order more: names are one further on, and the checks that an order passed count it. */
function withoutOtherOrder(event: object): object {
  return Object.fromEntries(Object.entries(event).filter(([field]) => !DIFFERENT.includes(field)))
}

test('an order that cannot rest fills alike whether the depth is in the book or matched outside it', () => {
  fc.assert(
    fc.property(fc.array(fc.oneof(order, order, quote), { minLength: 1, maxLength: 25 }), (steps) => {
      expect(play(steps, false)).toEqual(play(steps, true))
    }),
    generated('venueHistories'),
  )
})

const sizes = fc.integer({ min: 1, max: 60 }).map((tenths) => tenths / 10)
/** Mostly where our orders wait beside the market, so that most quotes pass them by. */
const near = fc.integer({ min: 49_999, max: 50_001 })
const limits = fc.oneof(
  fc.record({ side: fc.constant('BUY' as const), price: fc.integer({ min: 49_996, max: 49_998 }) }),
  fc.record({ side: fc.constant('SELL' as const), price: fc.integer({ min: 50_003, max: 50_005 }) }),
  // In the way of a quote that moves on, and in the queue that fills an order of the other side.
  fc.record({
    side: fc.constantFrom('BUY' as const, 'SELL' as const),
    price: fc.integer({ min: 49_992, max: 50_008 }),
  }),
)
const restingStep = fc.oneof(
  fc.record({
    kind: fc.constant('limit' as const),
    terms: limits,
    quantity: sizes,
    timeInForce: fc.constantFrom(
      'GTC' as const,
      'GTC' as const,
      'GTC' as const,
      'IOC' as const,
      'FOK' as const,
    ),
  }),
  fc.record({
    kind: fc.constant('quote' as const),
    bid: fc.oneof(
      { weight: 6, arbitrary: near },
      { weight: 1, arbitrary: fc.integer({ min: 49_990, max: 50_010 }) },
    ),
    spread: fc.constantFrom(1, 2, 4),
    size: fc.constantFrom(0.5, 2),
  }),
  fc.record({
    kind: fc.constant('trade' as const),
    price: fc.integer({ min: 49_996, max: 50_005 }),
    size: fc.constantFrom(1, 5, 30),
    aggressor: fc.constantFrom('BUY' as const, 'SELL' as const),
  }),
  fc.record({ kind: fc.constant('cancel' as const), nth: fc.nat(5) }),
)

type RestingStep = typeof restingStep extends fc.Arbitrary<infer Value> ? Value : never

/** An order that waits for its trigger makes the venue enter the depth of every quote into the book. */
function playResting(steps: readonly RestingStep[], isEager: boolean) {
  const lab = createLab({ opening: roomy, instruments, traded: 'BTCUSDT-PERP' })
  lab.quote({ bid: 50_000, ask: 50_001 })
  // Trades leave the depth unchanged while no order of ours is there, so both have one.
  const other = isEager
    ? ({ orderType: 'STOP', price: 90_000 } as const)
    : ({ orderType: 'LIMIT', price: 1 } as const)
  lab.place({ ...other, side: 'BUY', quantity: 0.001 })
  const before = lab.events.length
  const own: OrderId[] = []
  for (const step of steps) {
    if (step.kind === 'limit') {
      const { terms, quantity, timeInForce } = step
      own.push(lab.place({ strategy: MANUAL, orderType: 'LIMIT', ...terms, quantity, timeInForce }).id)
    } else if (step.kind === 'trade') lab.trade(step)
    else if (step.kind === 'cancel') {
      const orderId = own[own.length - 1 - step.nth]
      if (orderId !== undefined) lab.run({ type: 'CancelOrder', orderId })
    } else takeStep(lab, step)
  }
  const seen = lab.events.slice(before).filter(({ type }) => type !== 'HighWaterRaised')
  return {
    fills: seen.filter(({ type }) => type === 'OrderFilled').length,
    events: seen.map(withoutOtherOrder),
  }
}

test('[BT-60] quotes and trades lead to the same fills as a book that follows each of them', () => {
  let fills = 0
  fc.assert(
    fc.property(fc.array(restingStep, { minLength: 30, maxLength: 120 }), (steps) => {
      const lazy = playResting(steps, false)
      expect(lazy.events).toEqual(playResting(steps, true).events)
      fills += lazy.fills
    }),
    generated('venueHistories'),
  )
  expect(fills).toBeGreaterThan(500)
})

test('[BT-60] an order that joins a queue of which a quote took a part waits behind what is left', () => {
  const limit = (side: 'BUY' | 'SELL') => ({
    kind: 'limit' as const,
    terms: { side, price: 49_998 },
    quantity: 1.5,
    timeInForce: 'GTC' as const,
  })
  const asked = { kind: 'quote', bid: 49_997, spread: 1, size: 2 } as const
  const trade = { kind: 'trade', price: 49_998, size: 1, aggressor: 'BUY' } as const
  const steps = [limit('BUY'), asked, limit('SELL'), asked, trade]
  const lazy = playResting(steps, false)
  expect(lazy.fills).toBe(2)
  expect(lazy.events).toEqual(playResting(steps, true).events)
})

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { standardInstruments } from '#market/instruments.ts'
import { generated } from '#testkit/generated.ts'
import { createLab, type Lab } from '#testkit/lab.ts'
import { MANUAL } from '#values/ids.ts'

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
})
const quote = fc.record({
  kind: fc.constant('quote' as const),
  bid: fc.integer({ min: 49_900, max: 50_100 }),
  spread: fc.constantFrom(1, 3, 40),
  size: fc.constantFrom(0.5, 2, 10),
})

/** A lab with a resting order far away keeps the crowd in its book; without one the crowd is met where it stands. */
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
  | { kind: 'order'; side: 'BUY' | 'SELL'; quantity: number; timeInForce: 'IOC' | 'FOK' }
  | { kind: 'quote'; bid: number; spread: number; size: number }

function takeStep(lab: Lab, step: Step): void {
  if (step.kind === 'quote') lab.quote({ bid: step.bid, ask: step.bid + step.spread, size: step.size })
  else
    lab.place({ strategy: MANUAL, side: step.side, quantity: step.quantity, timeInForce: step.timeInForce })
}

const DIFFERENT = ['orderId', 'positionId', 'basis']

/** One lab has an order more: names are one further on, and the checks that an order passed count it. */
function withoutOtherOrder(event: object): object {
  return Object.fromEntries(Object.entries(event).filter(([field]) => !DIFFERENT.includes(field)))
}

test('a market order fills alike whether the crowd stands in the book or is met without it', () => {
  fc.assert(
    fc.property(fc.array(fc.oneof(order, order, quote), { minLength: 1, maxLength: 25 }), (steps) => {
      expect(play(steps, false)).toEqual(play(steps, true))
    }),
    generated('venueHistories'),
  )
})

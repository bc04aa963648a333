import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createRandom } from '#market/random.ts'
import { generated } from '#testkit/generated.ts'
import { HISTORY_INSTRUMENTS, liveRandomStep, openMarket } from '#testkit/histories.ts'
import { createLab, type Lab } from '#testkit/lab.ts'
import { createLatency } from '#venue/latency.ts'

/** Some seconds of work, but the machine may be busy. */
const MINUTES = 240_000

/** Runs a history and calls back after each step with the number of events before it. */
function live(seed: number, steps: number, after: (lab: Lab, from: number) => void): void {
  const random = createRandom(seed)
  const latency = random.uniform() < 0.3 ? { latency: createLatency(30, random.fork('latency')) } : {}
  const lab = createLab({ instruments: HISTORY_INSTRUMENTS, opening: { cash: 20_000 }, ...latency })
  openMarket(lab, random)
  for (let step = 0; step < steps; step++) {
    const from = lab.events.length
    liveRandomStep(lab, random)
    after(lab, from)
  }
}

/** The orders that exit prices placed since an event. */
function ordersAtExits({ events }: Lab, from: number) {
  return events
    .slice(from)
    .flatMap((event) =>
      event.type === 'OrderSubmitted' && event.basis?.intent?.type === 'exit' ? [event.terms] : [],
    )
}

test(
  '[POS-26] in any history an exit price places only market orders that reduce, and none is denied',
  () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 2 ** 31 - 1 }), (seed) =>
        live(seed, 60, (lab, from) => {
          for (const { type, reduceOnly } of ordersAtExits(lab, from)) {
            expect([type, reduceOnly]).toEqual(['MARKET', true])
          }
          const denied = lab.events
            .slice(from)
            .filter((event) => event.type === 'OrderDenied' && event.basis?.intent?.type === 'exit')
          expect(denied).toEqual([])
        }),
      ),
      generated('engineHistories'),
    )
  },
  MINUTES,
)

test(
  '[POS-25] random histories contain exit prices that are set, refused and reached',
  () => {
    const seen = new Set<string>()
    for (let seed = 1; seed <= 150; seed++) {
      live(seed, 80, (lab, from) => {
        for (const { type } of lab.events.slice(from)) seen.add(type)
        if (ordersAtExits(lab, from).length > 0) seen.add('an order at an exit price')
      })
    }
    for (const what of ['PositionExitsChanged', 'an order at an exit price', 'StrategyLossLimited']) {
      expect(seen).toContain(what)
    }
  },
  MINUTES,
)

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createRandom } from '#market/random.ts'
import { generated } from '#testkit/generated.ts'
import { KillableDesk, liveCrossingStep } from '#testkit/killable-desk.ts'
import type { Lab } from '#testkit/lab.ts'

test('[RISK-47] no history leads to a short spot position, kills and late messages included', () => {
  let sells = 0
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 2 ** 31 - 1 }), (seed) => {
      const random = createRandom(seed)
      const desk = new KillableDesk(random)
      for (let step = 0; step < 80; step++) {
        liveCrossingStep(desk.lab, random)
        if (random.uniform() < 0.01) desk.killAndRestart()
        expect(shortSpotPositions(desk.lab)).toEqual([])
      }
      sells += spotSells(desk.lab)
    }),
    generated('riskHistories'),
  )
  expect(sells).toBeGreaterThan(100)
})

function shortSpotPositions({ state, instruments }: Lab): string[] {
  return [...state.positions.open.values()]
    .filter(({ instrument, quantity }) => quantity < 0 && instruments.get(instrument).kind === 'SPOT')
    .map(({ strategy, instrument, quantity }) => `${strategy} ${instrument} ${quantity}`)
}

function spotSells({ events, instruments }: Lab): number {
  return events.filter(
    (event) =>
      event.type === 'OrderSubmitted' &&
      event.terms.side === 'SELL' &&
      instruments.get(event.terms.instrument).kind === 'SPOT',
  ).length
}

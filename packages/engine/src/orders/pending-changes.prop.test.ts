import { expect, test } from 'vitest'
import { createRandom } from '#market/random.ts'
import { positionKey } from '#model/position.ts'
import { KillableDesk, liveCrossingStep } from '#testkit/killable-desk.ts'
import type { Lab } from '#testkit/lab.ts'

test('[RISK-24] when all has arrived reduce-only orders are for no more than is held, kills in between or not', () => {
  // Always the same histories, of which some held more than that while a cut could be forgotten.
  for (let seed = FIRST; seed < FIRST + 200; seed++) {
    const random = createRandom(seed)
    const desk = new KillableDesk(random)
    for (let step = 0; step < 120; step++) {
      liveCrossingStep(desk.lab, random)
      if (random.uniform() < 0.01) desk.killAndRestart()
    }
    for (let count = 0; count < 12; count++) desk.lab.wait(400)
    mustHaveSettled(desk.lab)
  }
})

const FIRST = 3_200

function mustHaveSettled({ state }: Lab): void {
  const wanted = new Map<string, number>()
  for (const { terms, quantity, filled, change, isCancelRequested } of state.orders.working.values()) {
    expect({ change, isCancelRequested }).toEqual({ change: null, isCancelRequested: false })
    if (!terms.reduceOnly) continue
    const key = positionKey(terms.strategy, terms.instrument)
    const held = state.positions.open.get(key)?.quantity ?? 0
    const lots = (wanted.get(`${key} ${terms.side}`) ?? 0) + quantity - filled
    wanted.set(`${key} ${terms.side}`, lots)
    expect(lots).toBeLessThanOrEqual(terms.side === 'BUY' ? -held : held)
  }
}

import { createRandom } from '#market/random.ts'
import { createSimulatedMarket } from '#market/simulated-market.ts'
import { instantFromMs } from '#values/instant.ts'
import type { Lab } from './lab.ts'

/** As the server runs it: the market moves ten times a second, the timer fires in between. */
const STEP_MS = 100
const TIMER_MS = 20

/** Runs a lab through seconds of the simulated market. */
export function runMarket(lab: Lab, seed: number, seconds: number): void {
  const from = lab.now
  const random = createRandom(seed).fork('market')
  const market = createSimulatedMarket({ instruments: lab.instruments, random, at: from })
  for (let ms = STEP_MS; ms <= seconds * 1_000; ms += STEP_MS) {
    market.advance(instantFromMs(from + ms), (tick) => void lab.process(tick))
    for (let after = 0; after < STEP_MS; after += TIMER_MS) {
      lab.process({ kind: 'timer', at: instantFromMs(from + ms + after) })
    }
  }
}

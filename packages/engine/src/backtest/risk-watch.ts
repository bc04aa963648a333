import type { Engine } from '#engine.ts'
import { DEEPER_PPM } from '#risk/sampling.ts'
import { type Money, moneyToNumber, NO_MONEY } from '#values/money.ts'

/** Knows between which equities risk takes no notice. It may call a bar eventful that is not, never the reverse. */
export class RiskWatch {
  readonly #engine: Engine
  #highWater: Money = NO_MONEY
  #drawdownPpm = -1
  /** At or above this the high-water mark may rise; at or below the other the drawdown may be noted. */
  #above = 0
  #below = 0

  constructor(engine: Engine) {
    this.#engine = engine
  }

  /** Says whether no sample between the two leads to an event. */
  isCalm(worst: number, best: number): boolean {
    this.#refresh()
    return best < this.#above && worst > this.#below
  }

  /** Says whether the sample of a bar's end may lead to an event. */
  isSampled(equity: number): boolean {
    this.#refresh()
    return equity >= this.#above || equity <= this.#below
  }

  /** Says whether the day's loss may have reached its limit; once it has, nothing more follows from it. */
  isLoss(equity: number): boolean {
    const { valuation, state } = this.#engine
    return state.risk.tradingState === 'ACTIVE' && equity <= valuation.lossFloor()
  }

  #refresh(): void {
    const { highWater, drawdownPpm } = this.#engine.state.risk
    if (highWater === this.#highWater && drawdownPpm === this.#drawdownPpm) return
    this.#highWater = highWater
    this.#drawdownPpm = drawdownPpm
    const high = moneyToNumber(highWater)
    // A hair lower, for what a double cannot tell of a very large amount.
    this.#above = high * (1 - 1e-12)
    // One millionth earlier than noted, for the rounding of money and of millionths.
    this.#below = high * (1 - (drawdownPpm + DEEPER_PPM - 1) / 1e6)
  }
}

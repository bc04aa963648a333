import type { Engine } from '#engine.ts'
import { DRAWDOWN_STEP_PPM } from '#state/risk-register.ts'
import { type Money, moneyToNumber, NO_MONEY } from '#values/money.ts'

/** The equity range in which risk emits no event. It may call a quiet bar eventful, never the reverse. */
export class RiskWatch {
  readonly #engine: Engine
  #highWater: Money = NO_MONEY
  #drawdownPpm = -1
  /** At or above `#above` the high-water mark may rise; at or below `#below` a drawdown may be recorded. */
  #above = 0
  #below = 0

  constructor(engine: Engine) {
    this.#engine = engine
  }

  /** Returns whether no sample between the two emits an event. */
  isCalm(worst: number, best: number): boolean {
    this.#refresh()
    return best < this.#above && worst > this.#below
  }

  /** Returns whether the sample at a bar's end may emit an event. */
  isSampled(equity: number): boolean {
    this.#refresh()
    return equity >= this.#above || equity <= this.#below
  }

  /** Returns whether the daily loss may have reached its limit. Once it has, nothing more follows. */
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
    // Slightly lower, for the rounding of very large amounts in a double.
    this.#above = high * (1 - 1e-12)
    // One millionth earlier than recorded, for the rounding of money and of millionths.
    this.#below = high * (1 - (drawdownPpm + DRAWDOWN_STEP_PPM - 1) / 1e6)
  }
}

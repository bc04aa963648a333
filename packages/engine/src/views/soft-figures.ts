import { copyMarks, type Marks } from '#market/marks.ts'
import { markedValue } from '#risk/exposure.ts'
import { valueAtRisk } from '#risk/value-at-risk.ts'
import type { StrategyCore } from '#strategies/runtime/live-strategies.ts'
import type { StrategyId } from '#values/ids.ts'
import { moneyToNumber } from '#values/money.ts'

/** Soft state for views; can be passed to another thread. */
export interface SoftFigures {
  readonly marks: Marks
  /** One-day value at risk, null until there is enough history. */
  readonly valueAtRisk: number | null
  /** Running strategies and their warm-up progress. */
  readonly strategies: readonly WarmUp[]
}

export interface WarmUp {
  readonly strategy: StrategyId
  /** Bars received, and the number it needs before it acts. */
  readonly received: number
  readonly needed: number
}

/** Returns the current soft figures. */
export function softFigures(core: StrategyCore): SoftFigures {
  const held = [...core.state.positions.open.values()].map((position) => ({
    index: core.instruments.indexOf(position.instrument),
    value: moneyToNumber(markedValue(core, position, core.instruments.get(position.instrument))),
  }))
  return {
    marks: copyMarks(core.marks),
    valueAtRisk: valueAtRisk(held, core.closes),
    strategies: warmUpsOf(core),
  }
}

function warmUpsOf({ live }: StrategyCore): WarmUp[] {
  return [...live.runners.values()].map(({ id, barsReceived, strategy }) => ({
    strategy: id,
    received: Math.floor(barsReceived / Math.max(1, strategy.instruments.length)),
    needed: strategy.warmUpBars,
  }))
}

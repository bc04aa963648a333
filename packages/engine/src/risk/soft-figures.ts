import type { Core } from '#core.ts'
import { copyMarks, type Marks } from '#market/marks.ts'
import type { StrategyId } from '#values/ids.ts'
import { moneyToNumber } from '#values/money.ts'
import { markedValue } from './exposure.ts'
import { valueAtRisk } from './value-at-risk.ts'

/** What views need and events do not carry; safe to hand to another thread. */
export interface SoftFigures {
  readonly marks: Marks
  /** One-day value at risk, null until there is enough history. */
  readonly valueAtRisk: number | null
  /** Running strategies and how far they are warmed up. */
  readonly strategies: readonly WarmUp[]
}

export interface WarmUp {
  readonly strategy: StrategyId
  /** Bars heard so far, and how many it needs before it acts. */
  readonly heard: number
  readonly needed: number
}

/** Returns the soft figures of this moment. */
export function softFigures(core: Core): SoftFigures {
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

function warmUpsOf({ live }: Core): WarmUp[] {
  return [...live.runners.values()].map(({ id, heard, strategy }) => ({
    strategy: id,
    heard: Math.floor(heard / Math.max(1, strategy.instruments.length)),
    needed: strategy.warmUpBars,
  }))
}

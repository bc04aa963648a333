import type { Core } from '#core.ts'
import { copyMarks, type Marks } from '#market/marks.ts'
import { moneyToNumber } from '#values/money.ts'
import { markedValue } from './exposure.ts'
import { valueAtRisk } from './value-at-risk.ts'

/** What views need and events do not carry; safe to hand to another thread. */
export interface SoftFigures {
  readonly marks: Marks
  /** One-day value at risk, null until there is enough history. */
  readonly valueAtRisk: number | null
}

/** Returns the soft figures of this moment. */
export function softFigures(core: Core): SoftFigures {
  const held = [...core.state.positions.open.values()].map((position) => ({
    index: core.instruments.indexOf(position.instrument),
    value: moneyToNumber(markedValue(core, position, core.instruments.get(position.instrument))),
  }))
  return { marks: copyMarks(core.marks), valueAtRisk: valueAtRisk(held, core.closes) }
}

import { copyMarks, type Marks } from '#market/marks.ts'
import type { Denial } from '#model/reasons.ts'
import { markedValue } from '#risk/exposure.ts'
import { valueAtRisk } from '#risk/value-at-risk.ts'
import type { Runner, StrategyCore } from '#strategies/runtime/running-strategies.ts'
import type { StrategyId } from '#values/ids.ts'
import { type Instant, instantFromMs } from '#values/instant.ts'
import { moneyToNumber } from '#values/money.ts'

/** Soft state for views; can be passed to another thread. */
export interface LiveFigures {
  readonly marks: Marks
  /** One-day value at risk, null until there is enough history. */
  readonly valueAtRisk: number | null
  /** The running strategies. */
  readonly strategies: readonly StrategyFigures[]
}

/** The soft state of a running strategy. */
export interface StrategyFigures {
  readonly strategy: StrategyId
  /** Bars received, and the number it needs before it acts. */
  readonly received: number
  readonly needed: number
  /** Present while all its orders are denied. */
  readonly denials: DenialFigures | null
}

export interface DenialFigures {
  readonly count: number
  readonly reason: Denial
  /** The earliest time of its next order; null once it is past. */
  readonly nextTryAt: Instant | null
}

/** Returns the current soft figures. */
export function computeLiveFigures(core: StrategyCore): LiveFigures {
  const held = [...core.state.positions.open.values()].map((position) => ({
    index: core.instruments.indexOf(position.instrument),
    value: moneyToNumber(markedValue(core, position, core.instruments.get(position.instrument))),
  }))
  return {
    marks: copyMarks(core.marks),
    valueAtRisk: core.state.services.risk ? valueAtRisk(held, core.closes) : null,
    strategies: [...core.running.runners.values()].map((runner) => figuresOf(runner, core.draft.at)),
  }
}

function figuresOf({ id, barsReceived, strategy, denials }: Runner, now: Instant): StrategyFigures {
  return {
    strategy: id,
    received: Math.floor(barsReceived / Math.max(1, strategy.instruments.length)),
    needed: strategy.warmUpBars,
    denials: denials && {
      count: denials.count,
      reason: denials.reason,
      nextTryAt: denials.retryAt > now ? instantFromMs(denials.retryAt) : null,
    },
  }
}

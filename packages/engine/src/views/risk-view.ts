import type { TradingState, TradingStateReason } from '#model/risk.ts'
import { computeExposure, hasMarks, type RiskContext } from '#risk/exposure.ts'
import { isAvailable } from '#state/components.ts'
import { drawdownOf } from '#state/risk-register.ts'
import type { Instant } from '#values/instant.ts'
import { moneyToNumber } from '#values/money.ts'

/** The desk's risk figures and limits, in decimals of the quote currency. */
export interface RiskView {
  readonly totalExposure: number
  readonly marginUsed: number
  readonly marginAvailable: number
  /** How far equity is below its high-water mark now, in percent of the mark. */
  readonly drawdown: number
  /** The deepest drawdown so far, in percent of the high-water mark. */
  readonly maxDrawdown: number
  /** Null until there is enough history. */
  readonly valueAtRisk: number | null
  readonly positionCount: number
  readonly dayResult: number
  readonly equity: number
  readonly limits: {
    readonly maxOrderSize: number
    readonly maxPositionSize: number
    readonly maxDailyLoss: number
    readonly maxPositions: number
  }
  readonly tradingState: TradingState
  readonly tradingStateReason: TradingStateReason | null
  readonly tradingStateSince: Instant
  readonly breaches: readonly { limit: string; value: number; threshold: number; at: Instant }[]
  /** True while Portfolio does not run: the figures are frozen. */
  readonly isStale: boolean
}

/** Highest equity and deepest drawdown of all views, which the journal has only in steps and once a minute. */
export interface EquityExtremes {
  highestEquity: number
  deepestDrawdownPpm: number
}

/** Returns the figures at the marks given. It updates `extremes`, which the journal records only in steps. */
export function viewRisk(
  context: RiskContext,
  valueAtRisk: number | null,
  extremes: EquityExtremes,
): RiskView {
  const { risk, positions, components } = context.state
  const exposure = computeExposure(context)
  const equity = moneyToNumber(exposure.equity)
  const margin = moneyToNumber(exposure.margin)
  const isMarked = hasMarks(context)
  extremes.highestEquity = Math.max(
    extremes.highestEquity,
    moneyToNumber(risk.highWater),
    isMarked ? equity : 0,
  )
  const drawdownPpm = drawdownOf(extremes.highestEquity, equity)
  extremes.deepestDrawdownPpm = Math.max(
    extremes.deepestDrawdownPpm,
    risk.drawdownPpm,
    isMarked ? drawdownPpm : 0,
  )
  return {
    totalExposure: moneyToNumber(exposure.exposure),
    marginUsed: margin,
    marginAvailable: Math.max(0, equity - margin),
    drawdown: drawdownPpm / 10_000,
    maxDrawdown: extremes.deepestDrawdownPpm / 10_000,
    valueAtRisk,
    positionCount: positions.open.size,
    dayResult: equity - moneyToNumber(risk.equityAtDayStart),
    equity,
    limits: {
      maxOrderSize: moneyToNumber(risk.limits.maxOrderSize),
      maxPositionSize: moneyToNumber(risk.limits.maxPositionSize),
      maxDailyLoss: moneyToNumber(risk.limits.maxDailyLoss),
      maxPositions: risk.limits.maxPositions,
    },
    tradingState: risk.tradingState,
    tradingStateReason: risk.tradingStateReason,
    tradingStateSince: risk.tradingStateSince,
    breaches: risk.breaches.map(({ limit, value, threshold, at }) => ({
      limit,
      value: moneyToNumber(value),
      threshold: moneyToNumber(threshold),
      at,
    })),
    isStale: !isAvailable(components, 'portfolioFigures'),
  }
}

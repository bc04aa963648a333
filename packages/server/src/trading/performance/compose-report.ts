import {
  type CalendarReturn,
  type PerformanceFigures,
  type PerformanceReport,
  ROLLING_DAYS,
  type StrategyPerformance,
} from '@binnacle/contract'
import {
  type CalendarReturn as CalendarChange,
  type EquityFigures,
  MS_PER_DAY,
  measureEquity,
  minus,
  moneyToNumber,
  nearestMoney,
  plus,
  returnsBy,
  rollingSharpe,
  sharpeOf,
} from '@binnacle/engine'
import { isoTime } from '#http/iso-time.ts'
import { decimalToWire } from '#trading/decimal.wire.ts'
import type { EquityRecord } from './equity-record.ts'
import { curveSecond, stepSeconds } from './period.ts'
import { createFollower, type StrategyRecord } from './strategy-record.ts'
import type { TradeFigures, TradeSummary } from './trade-summary.ts'

export interface ReportParts {
  readonly record: EquityRecord
  readonly strategies: readonly StrategyRecord[]
  readonly summary: TradeSummary
  readonly hold: PerformanceReport['hold']
  readonly run: PerformanceReport['run']
}

/** PERF-1: the report as it is sent. */
export function composeReport({ record, strategies, summary, hold, run }: ReportParts): PerformanceReport {
  const { from, to, startEquity, samples } = record
  const measured = measureEquity({ at: from, equity: startEquity }, samples)
  const endEquity = samples.at(-1)?.equity ?? startEquity
  const net = minus(nearestMoney(endEquity), nearestMoney(startEquity))
  const closes = record.closes.filter(({ day }) => day + MS_PER_DAY > from)
  const calendar = (unit: 'day' | 'week' | 'month') =>
    returnsBy(unit, closes, startEquity).map(calendarToWire)
  return {
    period: record.period,
    from: isoTime(from),
    to: isoTime(to),
    as_of: isoTime(to),
    step_s: stepSeconds(record.interval),
    start_equity: decimalToWire(startEquity),
    end_equity: decimalToWire(endEquity),
    pnl: moneyToNumber(net),
    figures: figuresToWire(measured, summary.trades),
    curve: samples.map(({ at, equity }, index) => [
      curveSecond(at),
      decimalToWire(equity),
      measured.drawdowns[index] ?? 0,
    ]),
    gaps: record.gaps.map((gap) => ({ from: isoTime(gap.from), to: isoTime(gap.to) })),
    returns: { day: calendar('day'), week: calendar('week'), month: calendar('month') },
    rolling: rollingOf(record, summary),
    strategies: strategies
      .map((strategy) => strategyToWire(strategy, record, summary))
      .sort((one, other) => other.pnl - one.pnl),
    instruments: summary.instruments
      .map((row) => ({ ...row, pnl: decimalToWire(row.pnl) }))
      .sort((one, other) => other.pnl - one.pnl),
    costs: costsOf(moneyToNumber(net), summary),
    hold,
    run,
  }
}

/** The figures of equity and of trades, as sent. */
export function figuresToWire(measured: EquityFigures, trades: TradeFigures): PerformanceFigures {
  return {
    total_return: measured.totalReturn,
    cagr: measured.cagr,
    volatility: measured.volatility,
    sharpe: measured.sharpe,
    sortino: measured.sortino,
    calmar: measured.calmar,
    max_drawdown: measured.maxDrawdown,
    max_drawdown_seconds: measured.maxDrawdownMs / 1000,
    days: measured.days,
    trades: trades.count,
    win_rate: trades.winRate,
    payoff: trades.payoff,
    profit_factor: trades.profitFactor,
    expectancy: trades.expectancy,
  }
}

function calendarToWire({ start, pnl, change, isAfterGap }: CalendarChange): CalendarReturn {
  return { start: dayText(start), pnl: moneyToNumber(pnl), return: change, after_gap: isAfterGap }
}

/** PERF-9 */
function costsOf(net: number, { costs }: TradeSummary): PerformanceReport['costs'] {
  const { fees, slippage, funding, fills, measuredFills } = costs
  const paid = minus(plus(nearestMoney(fees), nearestMoney(slippage)), nearestMoney(funding))
  return {
    gross: moneyToNumber(plus(nearestMoney(net), paid)),
    fees,
    slippage,
    measured_fills: measuredFills,
    fills,
    funding,
    net,
  }
}

/** PERF-8: over the days up to each one, also those before the period. */
function rollingOf({ closes, from }: EquityRecord, { days }: TradeSummary): PerformanceReport['rolling'] {
  const [first, ...rest] = closes
  if (first === undefined) return []
  const returns = returnsBy('day', rest, first.equity)
  const sharpes = rollingSharpe(returns, ROLLING_DAYS)
  return returns.flatMap(({ start }, index) => {
    if (start + MS_PER_DAY <= from) return []
    const since = start - (ROLLING_DAYS - 1) * MS_PER_DAY
    const traded = days.filter(({ day }) => day >= since && day <= start)
    const count = traded.reduce((sum, each) => sum + each.count, 0)
    const won = traded.reduce((sum, each) => sum + each.won, 0)
    const isComplete = index + 1 >= ROLLING_DAYS
    return [
      {
        day: dayText(start),
        sharpe: sharpes[index] ?? null,
        win_rate: isComplete && count > 0 ? won / count : null,
      },
    ]
  })
}

function strategyToWire(
  { strategy, name, start, points }: StrategyRecord,
  record: EquityRecord,
  summary: TradeSummary,
): StrategyPerformance {
  const trades = summary.strategies.find((row) => row.strategy === strategy)
  const end = points.at(-1)?.equity ?? start
  return {
    strategy,
    name,
    pnl: moneyToNumber(minus(nearestMoney(end), nearestMoney(start))),
    sharpe: sharpeOf(dailyShares({ start, points }, record)),
    trades: trades?.count ?? 0,
    win_rate: trades?.winRate ?? null,
    points: points.map(({ at, equity }) => [curveSecond(at), decimalToWire(equity - start)]),
  }
}

/** The results of a strategy per recorded day of the period, as fractions of the equity before each. */
function dailyShares(strategy: Pick<StrategyRecord, 'start' | 'points'>, record: EquityRecord): number[] {
  let before = record.startEquity
  return dailyResults(strategy, record).map(({ day, result }) => {
    const share = before > 0 ? result / before : 0
    before = record.closes.find((close) => close.day === day)?.equity ?? before
    return share
  })
}

/** The results of a strategy per recorded day of the period. */
export function dailyResults(
  { start, points }: Pick<StrategyRecord, 'start' | 'points'>,
  { closes, from }: Pick<EquityRecord, 'closes' | 'from'>,
): { day: number; result: number }[] {
  const valueAt = createFollower(points, start)
  let before = start
  return closes
    .filter(({ day }) => day + MS_PER_DAY > from)
    .map(({ day }) => {
      const { equity } = valueAt(day + MS_PER_DAY)
      const result = equity - before
      before = equity
      return { day, result }
    })
}

function dayText(at: number): string {
  return isoTime(at).slice(0, 10)
}

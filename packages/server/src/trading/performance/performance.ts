import type {
  PerformancePeriod,
  PerformanceReport,
  PerformanceRisk,
  RequestOf,
  performance as wire,
} from '@binnacle/contract'
import { ROLLING_DAYS } from '@binnacle/contract'
import {
  correlationOf,
  type Desk,
  type Instrument,
  idFrom,
  MANUAL,
  MS_PER_DAY,
  returnsBy,
  STRESS_SCENARIOS,
  type StrategyId,
  stress,
} from '@binnacle/engine'
import { notFound, Refused } from '#http/problems.ts'
import type { ClosedPage } from '#storage/orders/trade-history.ts'
import type { Samples } from '#storage/samples/samples.ts'
import type { Backtests } from '#trading/backtests/backtests.ts'
import { decimalToWire } from '#trading/decimal.wire.ts'
import type { MarketData } from '#trading/market/market-data.ts'
import { type ComparedRun, commonTime, compareRun, holdInstrument } from './comparisons.ts'
import { composeReport, dailyResults } from './compose-report.ts'
import { type EquityRecord, readEquity } from './equity-record.ts'
import type { PerformanceReader } from './performance-reader.ts'
import { stepSeconds } from './period.ts'
import { onlyStrategy, readStrategies } from './strategy-record.ts'

/** Performance Analytics: what the desk earned, from its samples and its order history. */
export interface Performance {
  report(query: ReportQuery): Promise<PerformanceReport | Refused>
  trades(query: TradesQuery): Promise<ClosedPage | Refused>
  risk(period: PerformancePeriod): Promise<PerformanceRisk>
  close(): Promise<void>
}

type QueryOf<Endpoint> = NonNullable<RequestOf<Endpoint>['query']>
type ReportQuery = QueryOf<typeof wire.report> & { period: PerformancePeriod }
export interface TradesQuery {
  readonly period: PerformancePeriod
  readonly strategy?: string | undefined
  readonly instrument?: string | undefined
  readonly cursor?: number | undefined
  readonly limit: number
}

export interface PerformanceOptions {
  desk: Pick<Desk, 'views'>
  samples: Samples
  reader: PerformanceReader
  /** Without it there is no comparison with an instrument. */
  market?: Pick<MarketData, 'bars'> | undefined
  /** Without it there is no comparison with a run. */
  backtests?: Pick<Backtests, 'find'> | undefined
  now?: () => number
}

/** Of the Monte Carlo method: the same days always give the same figures. */
const SEED = 1

export function openPerformance(options: PerformanceOptions): Performance {
  const { desk, samples, reader, market, backtests, now = Date.now } = options
  // Read at each call: a restart of the engine replaces the rows.
  const instrumentsById = () =>
    new Map<string, Instrument>(desk.views.instruments().map((one) => [one.id, one]))
  const accountRecord = (period: PerformancePeriod) =>
    readEquity(samples, period, { now: now(), equity: desk.views.account().equity })

  async function report(query: ReportQuery): Promise<PerformanceReport | Refused> {
    const { period, strategy, hold, backtest } = query
    const refusal = checkNames(strategy, hold)
    if (refusal !== undefined) return refusal
    const run = backtest === undefined ? undefined : await findRun(backtest)
    if (run instanceof Refused) return run
    const account = await accountRecord(period)
    const record =
      strategy === undefined ? account : await onlyStrategy(samples, desk.views, account, strategy)
    const { from, to } = record
    const [summary, strategies, bars] = await Promise.all([
      reader.summarise({ from, to, rollingFrom: from - ROLLING_DAYS * MS_PER_DAY, strategy }),
      readStrategies(samples, desk.views, account),
      hold === undefined ? undefined : readBars(hold, record),
    ])
    return composeReport({
      record,
      strategies: strategies.filter((row) => strategy === undefined || row.strategy === strategy),
      summary,
      hold: bars === undefined ? null : holdInstrument(record, bars),
      run: run === undefined ? null : await compare(record, run, strategy),
    })
  }

  function checkNames(strategy: string | undefined, hold: string | undefined): Refused | undefined {
    if (hold !== undefined && !instrumentsById().has(hold))
      return notFound('instrument', hold, { field: 'query.hold', list: 'GET /api/instruments' })
    if (strategy === undefined || strategy === MANUAL) return undefined
    return desk.views.strategyName(idFrom<StrategyId>(strategy)) === undefined
      ? notFound('strategy', strategy, { field: 'query.strategy', list: 'GET /api/strategies' })
      : undefined
  }

  async function readBars(hold: string, { from, to, interval }: EquityRecord) {
    const instrument = instrumentsById().get(hold)
    if (instrument === undefined || market === undefined) return undefined
    const limit = Math.ceil((to - from) / 1000 / stepSeconds(interval)) + 2
    return (await market.bars({ instrument: instrument.id, interval, limit })).bars
  }

  async function findRun(id: number): Promise<ComparedRun | Refused> {
    const found = await backtests?.find(id)
    if (found === undefined || found.result === null) {
      const where = { field: 'query.backtest', list: 'GET /api/nautilus/backtests' }
      return notFound('completed backtest', String(id), where)
    }
    const { from, initial_cash: capital } = JSON.parse(found.row.request)
    return { id, capital, from: Date.parse(from), result: JSON.parse(found.result) }
  }

  async function compare(record: EquityRecord, run: ComparedRun, strategy: string | undefined) {
    const common = commonTime(record, run)
    if (common === null) return null
    const { trades } = await reader.summarise({ ...common, rollingFrom: common.from, strategy })
    return compareRun(record, run, common, trades)
  }

  return {
    report,
    async trades({ period, strategy, instrument, cursor, limit }) {
      const refusal = checkNames(strategy, undefined)
      if (refusal !== undefined) return refusal
      const { from, to } = await accountRecord(period)
      return reader.page({ from, to: to + 1, strategy, instrument, before: cursor, limit })
    },
    async risk(period) {
      const [year, record] = await Promise.all([accountRecord('All'), accountRecord(period)])
      const closes = year.closes.filter(({ day }) => day >= year.to - 366 * MS_PER_DAY)
      const returns = returnsBy('day', closes, year.startEquity).map(({ change }) => change ?? 0)
      const losses = await reader.losses({ returns, seed: SEED })
      const { equity } = desk.views.account()
      const amount = (share: number | null) => (share === null ? null : decimalToWire(share * equity))
      return {
        days: returns.length,
        seed: SEED,
        losses: losses.map(
          ({ method, valueAtRisk, expectedShortfall, days, beyond, ratio, isPlausible }) => ({
            method,
            value_at_risk: amount(valueAtRisk),
            expected_shortfall: amount(expectedShortfall),
            days,
            beyond,
            kupiec_ratio: ratio,
            plausible: isPlausible,
          }),
        ),
        correlation: await correlate(record),
        scenarios: stressPositions(),
        open_positions: desk.views.positions().length,
      }
    },
    close: () => reader.close(),
  }

  async function correlate(record: EquityRecord): Promise<PerformanceRisk['correlation']> {
    const strategies = await readStrategies(samples, desk.views, record)
    const results = strategies.map((each) => dailyResults(each, record).map(({ result }) => result))
    return {
      strategies: strategies.map(({ strategy, name }) => ({ strategy, name })),
      days: results[0]?.length ?? 0,
      rows: results.map((one) => results.map((other) => correlationOf(one, other))),
    }
  }

  function stressPositions(): PerformanceRisk['scenarios'] {
    const byId = instrumentsById()
    const quotes = new Map(desk.views.quotes().map((quote) => [quote.instrument, quote]))
    const held = desk.views.positions().map(({ instrument, side, quantity, currentPrice }) => {
      const quote = quotes.get(instrument)
      return {
        base: byId.get(instrument)?.base ?? '',
        value: quantity * currentPrice * (side === 'LONG' ? 1 : -1),
        halfSpread: quote === undefined ? null : (quote.ask - quote.bid) / (quote.ask + quote.bid),
      }
    })
    return STRESS_SCENARIOS.map((scenario) => {
      const pnl = stress(scenario, held)
      return { name: scenario.name, pnl: pnl === null ? null : decimalToWire(pnl) }
    })
  }
}

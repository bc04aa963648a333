import {
  addTrade,
  type Money,
  MS_PER_DAY,
  minus,
  moneyToNumber,
  NO_MONEY,
  nearestMoney,
  noTrades,
  plus,
  ratiosOfTrades,
  slippageOf,
  type TradeSums,
} from '@binnacle/engine'
import type { TimeRange, TradeHistory } from '#storage/orders/trade-history.ts'

export interface SummaryQuery extends TimeRange {
  /** Trades from here on count for the rolling figures. */
  readonly rollingFrom: number
  /** All strategies without. */
  readonly strategy?: string | undefined
}

/** The trades of a period, summed exactly. */
export interface TradeSummary {
  readonly trades: TradeFigures
  readonly costs: {
    readonly fees: number
    readonly slippage: number
    readonly funding: number
    readonly fills: number
    readonly measuredFills: number
  }
  readonly strategies: readonly (TradeFigures & { readonly strategy: string })[]
  readonly instruments: readonly InstrumentSummary[]
  /** Trades by the UTC day on which they were closed, from `rollingFrom` on. */
  readonly days: readonly { readonly day: number; readonly count: number; readonly won: number }[]
}

export interface TradeFigures extends ReturnType<typeof ratiosOfTrades> {
  readonly count: number
}

interface InstrumentSummary {
  readonly instrument: string
  /** Realised in the period, after fees and funding. */
  readonly pnl: number
  readonly trades: number
  readonly fees: number
  readonly funding: number
}

export function summariseTrades(history: TradeHistory, query: SummaryQuery): TradeSummary {
  const { from, to, rollingFrom, strategy } = query
  const range = { from, to }
  const isIncluded = (row: { strategy: string }) => strategy === undefined || row.strategy === strategy
  const all = noTrades()
  const byStrategy = new Groups<TradeSums>(noTrades)
  const byInstrument = new Groups(noResult)
  const byDay = new Groups(() => ({ count: 0, won: 0 }))
  const costs = { fees: NO_MONEY, slippage: NO_MONEY, funding: NO_MONEY, fills: 0, measuredFills: 0 }

  for (const position of history.closed({ from: Math.min(from, rollingFrom), to })) {
    if (!isIncluded(position)) continue
    const result = nearestMoney(position.result)
    const day = byDay.get(position.closedAt - (position.closedAt % MS_PER_DAY))
    day.count += 1
    if (result > 0) day.won += 1
    if (position.closedAt < from) continue
    addTrade(all, result)
    addTrade(byStrategy.get(position.strategy), result)
    byInstrument.get(position.instrument).trades += 1
  }
  for (const fill of history.fills(range)) {
    if (!isIncluded(fill)) continue
    const fee = nearestMoney(fill.fee)
    const instrument = byInstrument.get(fill.instrument)
    instrument.fees = plus(instrument.fees, fee)
    instrument.realised = plus(instrument.realised, nearestMoney(fill.realised))
    costs.fees = plus(costs.fees, fee)
    costs.fills += 1
    if (fill.mid === null) continue
    costs.slippage = plus(costs.slippage, slippageOf(fill, fill.mid))
    costs.measuredFills += 1
  }
  for (const paid of history.funding(range)) {
    if (!isIncluded(paid)) continue
    const amount = nearestMoney(paid.amount)
    const instrument = byInstrument.get(paid.instrument)
    instrument.funding = plus(instrument.funding, amount)
    costs.funding = plus(costs.funding, amount)
  }
  return {
    trades: figuresOf(all),
    costs: {
      ...costs,
      fees: moneyToNumber(costs.fees),
      slippage: moneyToNumber(costs.slippage),
      funding: moneyToNumber(costs.funding),
    },
    strategies: [...byStrategy.all].map(([id, sums]) => ({ strategy: String(id), ...figuresOf(sums) })),
    instruments: [...byInstrument.all].map(([id, { realised, fees, funding, trades }]) => ({
      instrument: String(id),
      pnl: moneyToNumber(plus(minus(realised, fees), funding)),
      trades,
      fees: moneyToNumber(fees),
      funding: moneyToNumber(funding),
    })),
    days: [...byDay.all].map(([day, counts]) => ({ day: Number(day), ...counts })),
  }
}

function figuresOf(sums: TradeSums): TradeFigures {
  return { count: sums.count, ...ratiosOfTrades(sums) }
}

interface InstrumentResult {
  realised: Money
  fees: Money
  funding: Money
  trades: number
}

function noResult(): InstrumentResult {
  return { realised: NO_MONEY, fees: NO_MONEY, funding: NO_MONEY, trades: 0 }
}

/** A value per key, created on first use. */
class Groups<Value> {
  readonly all = new Map<string | number, Value>()
  readonly #create: () => Value

  constructor(create: () => Value) {
    this.#create = create
  }

  get(key: string | number): Value {
    const known = this.all.get(key) ?? this.#create()
    this.all.set(key, known)
    return known
  }
}

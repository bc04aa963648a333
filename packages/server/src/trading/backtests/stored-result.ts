import { createHash } from 'node:crypto'
import type { BacktestResult, BacktestTrade } from '@binnacle/contract'
import {
  type BacktestReport,
  type Instruments,
  momentsOf,
  type BacktestTrade as Trade,
} from '@binnacle/engine'
import type { NewBacktestResult } from '#storage/admin/backtests-store.ts'
import type { RunFigures } from './worker-protocol.ts'

export type Hashed = Omit<BacktestResult, 'hash'>

/** The report as it is stored and sent. The hash covers everything else in it. */
export function toStoredResult(report: BacktestReport, instruments: Instruments): NewBacktestResult {
  const result = resultToWire(report, instruments)
  return storedOf(result, hashOf(result))
}

export function storedOf(result: Hashed, hash: string): NewBacktestResult {
  const { statistics, final_equity } = result
  return {
    hash,
    summary: JSON.stringify({ statistics, final_equity, hash }),
    result: JSON.stringify({ ...result, hash }),
  }
}

/** The figures of a run of a sweep. The hash is that of the whole result. */
export function toFigures(report: BacktestReport, instruments: Instruments): RunFigures {
  const result = resultToWire(report, instruments)
  const { statistics, orders, denied_orders } = result
  const daily = momentsOf(report.dailyReturns)
  return { statistics, daily, orders, denied_orders, hash: hashOf(result) }
}

export function hashOf(result: Hashed): string {
  return createHash('sha256').update(JSON.stringify(result)).digest('hex')
}

function resultToWire(report: BacktestReport, instruments: Instruments): Hashed {
  const { curve, statistics } = report
  const { maxDrawdownMs, ...figures } = statistics
  return {
    statistics: {
      total_return: figures.totalReturn,
      cagr: figures.cagr,
      volatility: figures.volatility,
      sharpe: figures.sharpe,
      sortino: figures.sortino,
      calmar: figures.calmar,
      max_drawdown: figures.maxDrawdown,
      max_drawdown_seconds: maxDrawdownMs / 1000,
      trades: figures.trades,
      win_rate: figures.winRate,
      profit_factor: figures.profitFactor,
      expectancy: figures.expectancy,
      exposure_time: figures.exposureTime,
      turnover: figures.turnover,
      fees: figures.fees,
      funding: figures.funding,
    },
    final_equity: report.finalEquity,
    equity_curve: Array.from(curve.at, (at, point) => ({
      at: textOf(at),
      equity: curve.equity[point] ?? 0,
      drawdown: curve.drawdown[point] ?? 0,
    })),
    trades: report.trades.map((trade) => tradeToWire(trade, instruments)),
    trades_total: figures.trades,
    bars: report.bars,
    orders: report.orders,
    denied_orders: report.deniedOrders,
    open_positions: report.openPositions,
    trading_state: report.tradingState,
    events: report.events,
    events_digest: report.digest,
  }
}

function tradeToWire(trade: Trade, instruments: Instruments): BacktestTrade {
  const { instrument, side, fees, funding, pnl } = trade
  return {
    instrument,
    side,
    opened_at: textOf(trade.openedAt),
    closed_at: textOf(trade.closedAt),
    quantity: (trade.lots * instruments.get(instrument).lot.unitCount) / 1e8,
    entry_price: trade.entryPrice,
    exit_price: trade.exitPrice,
    fees,
    funding,
    pnl,
  }
}

function textOf(ms: number): string {
  return new Date(ms).toISOString()
}

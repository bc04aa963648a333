import { createHash } from 'node:crypto'
import type { Backtest, BacktestResult, BacktestSummary, BacktestTrade } from '@binnacle/contract'
import type { BacktestReport, Instruments, BacktestTrade as Trade } from '@binnacle/engine'
import type { BacktestView } from '#backtests/backtests.ts'
import type { BacktestListRow, KeptResult } from '#storage/admin/backtests-store.ts'

type Hashed = Omit<BacktestResult, 'hash'>

/** A report as it is kept and sent: the hash is over everything else. */
export function keepResult(report: BacktestReport, instruments: Instruments): KeptResult {
  const result = resultToWire(report, instruments)
  const hash = createHash('sha256').update(JSON.stringify(result)).digest('hex')
  const { statistics, final_equity } = result
  return {
    hash,
    summary: JSON.stringify({ statistics, final_equity, hash }),
    result: JSON.stringify({ ...result, hash }),
  }
}

export function backtestToWire(view: BacktestView, result: string | null): Backtest {
  return { ...stateToWire(view), result: result === null ? null : JSON.parse(result) }
}

export function summaryToWire(view: BacktestView<BacktestListRow>): BacktestSummary {
  const { summary } = view.row
  return { ...stateToWire(view), result: summary == null ? null : JSON.parse(summary) }
}

function stateToWire({ row, progress }: BacktestView): Omit<Backtest, 'result'> {
  const { id, status, data_fingerprint, engine_version, rerun_of } = row
  const { created_at, started_at, finished_at, error } = row
  const request = JSON.parse(row.request)
  const times = { created_at, started_at, finished_at }
  return { id, status, progress, request, data_fingerprint, engine_version, rerun_of, ...times, error }
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

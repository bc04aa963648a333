import type { Backtest, Sweep } from '@binnacle/contract'

export const REQUEST = {
  strategy: { type: 'momentum', config: { instrument: 'BTCUSDT', interval: '5m', fast_bars: 20 } },
  interval: '5m' as const,
  from: '2026-01-05T00:00:00.000Z',
  to: '2026-02-03T00:00:00.000Z',
  initial_cash: 10_000,
  slippage_bps: 0,
  latency_ms: 0,
  seed: 1,
}

const STATISTICS = {
  total_return: 0.05,
  cagr: 0.8,
  volatility: 0.2,
  sharpe: 1.86,
  sortino: null,
  calmar: 2,
  max_drawdown: 0.0409,
  max_drawdown_seconds: 7_200,
  trades: 2,
  win_rate: 0.5,
  profit_factor: 1.48,
  expectancy: 250,
  exposure_time: 0.38,
  turnover: 12.5,
  fees: 30,
  funding: -5,
}

function aTrade(pnl: number) {
  return {
    instrument: 'BTCUSDT',
    side: 'LONG',
    opened_at: '2026-01-06T00:00:00.000Z',
    closed_at: '2026-01-06T01:00:00.000Z',
    quantity: 0.01,
    entry_price: 67_000,
    exit_price: 67_100,
    fees: 0.5,
    funding: 0,
    pnl,
  }
}

export function aResult(hash: string) {
  return {
    statistics: STATISTICS,
    final_equity: 10_500,
    equity_curve: [
      { at: '2026-02-01T00:00:00.000Z', equity: 10_200, drawdown: 0 },
      { at: '2026-02-03T00:00:00.000Z', equity: 10_500, drawdown: 0.01 },
    ],
    trades: [aTrade(600), aTrade(-100)],
    trades_total: 2,
    bars: 8_352,
    orders: 4,
    denied_orders: 0,
    open_positions: 0,
    trading_state: 'ACTIVE',
    events: 10,
    events_digest: 'd',
    hash,
  }
}

export function aRun(id: number, part: Partial<Backtest> = {}): Backtest {
  return {
    id,
    status: 'completed',
    progress: 1,
    request: REQUEST,
    data_fingerprint: '9c41e7aa00',
    engine_version: 'v1',
    rerun_of: null,
    created_at: '2026-02-03T10:00:00.000Z',
    started_at: '2026-02-03T10:00:00.000Z',
    finished_at: '2026-02-03T10:00:00.710Z',
    error: null,
    result: aResult('5be07a11ff'),
    ...part,
  }
}

/** Two parameters, three of four sets with a result. */
export function aSweep(part: Partial<Sweep> = {}): Sweep {
  const base = { ...REQUEST, strategy: { type: 'momentum' as const, config: { order_value: 100 } } }
  const result = (set: number, sharpe: number) => ({
    set,
    segment: 0,
    statistics: { ...STATISTICS, sharpe },
    hash: 'h',
    error: null,
  })
  return {
    id: 4,
    status: 'completed',
    request: { base, parameters: { fast_bars: { values: [10, 20] } }, measure: 'sharpe' },
    total: 4,
    done: 4,
    stopped_early: false,
    created_at: '2026-02-03T10:00:00.000Z',
    started_at: '2026-02-03T10:00:00.000Z',
    finished_at: '2026-02-03T10:00:10.000Z',
    error: null,
    best: { set: 2, value: 2 },
    names: ['fast_bars', 'slow_bars'],
    sets: [
      [10, 50],
      [10, 100],
      [20, 50],
      [20, 100],
    ],
    segments: [{ window: 0, part: 'whole', from: REQUEST.from, to: REQUEST.to }],
    results: [
      result(0, 0.5),
      result(1, 1),
      result(2, 2),
      { set: 3, segment: 0, statistics: null, hash: null, error: 'fast_bars must be below slow_bars' },
    ],
    deflated_sharpe: { trials: 3, expected_best: 1.5, probability: 0.62 },
    walk_forward: [],
    ...part,
  }
}

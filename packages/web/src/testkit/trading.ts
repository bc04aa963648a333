import type { Component, EngineInfo, Order, Position, RiskMetrics, Strategy } from '@binnacle/contract'

export function anOrder(given: Partial<Order> = {}): Order {
  return {
    id: 'O-1',
    instrument: 'BTCUSDT',
    side: 'BUY',
    type: 'LIMIT',
    quantity: 0.25,
    price: 67_204.1,
    filled_qty: 0,
    status: 'PENDING',
    ...given,
  }
}

export function aPosition(given: Partial<Position> = {}): Position {
  return {
    id: 'P-1',
    instrument: 'BTCUSDT',
    side: 'LONG',
    quantity: 0.15,
    entry_price: 66_000,
    current_price: 67_000,
    unrealized_pnl: 150,
    realized_pnl: 0,
    ...given,
  }
}

export function aStrategy(given: Partial<Strategy> = {}): Strategy {
  return {
    id: 'S-1',
    name: 'Harbour momentum',
    type: 'momentum',
    description: 'Follows the trend of the last hour',
    config: {},
    status: 'running',
    performance: { total_pnl: 0, total_trades: 0, win_rate: 0 },
    ...given,
  }
}

export function anEngine(given: Partial<EngineInfo> = {}): EngineInfo {
  return {
    trader_id: 'TRADER-001',
    engine_type: 'nautilus',
    status: 'running',
    is_running: true,
    strategies_count: 4,
    ...given,
  }
}

export function aComponent(given: Partial<Component> = {}): Component {
  return { id: 'data', name: 'DataEngine', type: 'Engine', status: 'running', ...given }
}

export function riskMetrics(given: Partial<RiskMetrics> = {}): RiskMetrics {
  return {
    total_exposure: 10_000,
    margin_used: 100,
    margin_available: 900,
    max_drawdown: 2.31,
    var_1d: 604.9,
    position_count: 3,
    ...given,
  }
}

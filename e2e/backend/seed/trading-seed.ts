import type { Component, Order, Position, Strategy } from '#backend/entities.ts'
import type { State } from '#backend/state.ts'

export type TradingSeed = Pick<
  State,
  'engine' | 'components' | 'instruments' | 'metrics' | 'limits' | 'strategies' | 'orders' | 'positions'
>

export function tradingSeed(): TradingSeed {
  return {
    engine: {
      trader_id: 'TRADER-001',
      engine_type: 'nautilus',
      status: 'running',
      is_running: true,
      strategies_count: 4,
    },
    components: components(),
    instruments: [
      { id: 'BTCUSDT', symbol: 'BTCUSDT' },
      { id: 'ETHUSDT', symbol: 'ETHUSDT' },
    ],
    metrics: {
      total_exposure: 18_250.4,
      margin_used: 3_120.42,
      margin_available: 6_988.31,
      max_drawdown: 2.31,
      var_1d: 604.9,
      position_count: 3,
    },
    limits: { max_order_size: 12_500, max_position_size: 60_000, max_daily_loss: 4_200.5, max_positions: 8 },
    strategies: strategies(),
    orders: orders(),
    positions: positions(),
  }
}

export function anOrder(given: Partial<Order> = {}): Order {
  return {
    id: 'O-1000',
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
    id: 'P-1000',
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

function aStrategy(given: Partial<Strategy> = {}): Strategy {
  return {
    id: 'S-1000',
    name: 'Harbour momentum',
    type: 'momentum',
    description: 'Follows the trend of the last hour',
    config: {},
    status: 'running',
    performance: { total_pnl: 0, total_trades: 0, win_rate: 0 },
    ...given,
  }
}

function aComponent(given: Partial<Component> = {}): Component {
  return { id: 'data', name: 'DataEngine', type: 'Engine', status: 'running', ...given }
}

/** One of each colour of the component grid; two of them count as online. */
function components(): Component[] {
  return [
    aComponent(),
    aComponent({ id: 'execution', name: 'ExecutionEngine', status: 'active' }),
    aComponent({ id: 'risk', name: 'RiskEngine', status: 'paused' }),
    aComponent({ id: 'portfolio', name: 'Portfolio', type: 'Component', status: 'stopped' }),
    aComponent({ id: 'cache', name: 'Cache', type: 'Component', status: 'error' }),
    aComponent({ id: 'bus', name: 'MessageBus', type: 'Component', status: 'warming' }),
  ]
}

function strategies(): Strategy[] {
  return [
    aStrategy({
      id: 'S-1',
      performance: { total_pnl: 1_284.5, total_trades: 48, win_rate: 0.625 },
    }),
    aStrategy({
      id: 'S-2',
      name: 'Tidal reversion',
      type: 'mean_reversion',
      description: '',
      status: 'stopped',
      performance: { total_pnl: -310.25, total_trades: 21, win_rate: 0.4286 },
    }),
    aStrategy({
      id: 'S-3',
      name: 'Channel arbitrage',
      type: 'arbitrage',
      description: 'Buys the cheaper venue',
      status: 'error',
    }),
    aStrategy({
      id: 'S-4',
      name: 'Quay maker',
      type: 'market_making',
      description: 'Quotes both sides',
      status: 'stopped',
      performance: { total_pnl: 12, total_trades: 3, win_rate: 1 },
    }),
  ]
}

function orders(): Order[] {
  return [
    anOrder({ id: 'O-1', filled_qty: 0.1 }),
    anOrder({
      id: 'O-2',
      instrument: 'ETHUSDT',
      side: 'SELL',
      type: 'MARKET',
      quantity: 4,
      price: null,
      filled_qty: 4,
      status: 'FILLED',
    }),
    anOrder({
      id: 'O-3',
      instrument: 'SOLUSDT',
      type: 'STOP',
      quantity: 120,
      price: 171.2,
      status: 'CANCELLED',
    }),
    anOrder({ id: 'O-4', quantity: 1.5, status: 'REJECTED' }),
    anOrder({ id: 'O-5', instrument: 'ETHUSDT', quantity: 2, price: 3_412.55, status: 'EXPIRED' }),
    anOrder({ id: 'O-6', side: 'SELL', quantity: 0.003, price: 68_000 }),
  ]
}

function positions(): Position[] {
  return [
    aPosition({ id: 'P-1', unrealized_pnl: 180.6, realized_pnl: 40.25 }),
    aPosition({
      id: 'P-2',
      instrument: 'ETHUSDT',
      side: 'SHORT',
      quantity: 2,
      entry_price: 3_380,
      current_price: 3_412.55,
      unrealized_pnl: -65.1,
    }),
    aPosition({
      id: 'P-3',
      instrument: 'SOLUSDT',
      quantity: 10,
      entry_price: 171.2,
      current_price: 171.2,
      unrealized_pnl: 0,
      realized_pnl: -12.5,
    }),
  ]
}

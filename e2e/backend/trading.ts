import type { Strategy } from './entities.ts'
import {
  byId,
  fieldsOf,
  type HandlerInput,
  NOT_FOUND,
  numberOf,
  ok,
  type Routes,
  textOf,
  without,
} from './handlers.ts'
import type { Reply } from './reply-overrides.ts'

/** The trading API of the specification's section 7, orders and strategies aside. */
const engineRoutes: Routes = {
  'GET /health': () => ok({ status: 'ok' }),
  'GET /api/health': () => ({ body: { status: 'ok' }, headers: { 'access-control-allow-origin': '*' } }),
  'POST /api/nautilus/initialize': () => ok({ message: 'Engine initialized' }),
  'GET /api/nautilus/system-info': ({ state }) => ok({ components: state.components }),
  'GET /api/engine/info': ({ state }) => ok(state.engine),
  'GET /api/nautilus/engine/info': ({ state }) => ok(state.engine),
  'GET /api/instruments': ({ state }) => ok({ instruments: state.instruments }),
  'GET /api/nautilus/instruments': ({ state }) => ok({ instruments: state.instruments }),
  'GET /api/nautilus/cache/stats': () => ok({ entries: 0 }),
  'POST /api/nautilus/backtest': () => ok({ id: 'BT-1', status: 'queued' }),
  'GET /api/nautilus/backtest/:id': ({ params }) => ok({ id: params.id, status: 'queued' }),
  'POST /api/component/stop': ({ body }) => ok({ message: `${named(body, 'component')} stopped` }),
  'POST /api/component/restart': ({ body }) => ok({ message: `${named(body, 'component')} restarted` }),
  'POST /api/component/configure': ({ body }) => ok({ message: `${named(body, 'component')} configured` }),
  'POST /api/nautilus/components/:id/stop': ({ params }) => ok({ message: `${params.id} stopped` }),
  'POST /api/nautilus/components/:id/restart': ({ params }) => ok({ message: `${params.id} restarted` }),
  'POST /api/nautilus/components/:id/configure': ({ params }) => ok({ message: `${params.id} configured` }),
}

const maintenanceRoutes: Routes = {
  'POST /api/database/backup': ({ body }) => ok({ message: `Backup of ${named(body, 'db_type')} finished` }),
  'POST /api/database/optimize': ({ body }) =>
    ok({ message: `Optimization of ${named(body, 'db_type')} finished` }),
  'POST /api/database/clean': ({ body }) =>
    ok({ message: `Cleaning of ${named(body, 'cache_type')} finished` }),
  'POST /api/nautilus/database/optimize-postgresql': () =>
    ok({ message: 'Optimization of postgresql finished' }),
  'POST /api/nautilus/database/backup-postgresql': () => ok({ message: 'Backup of postgresql finished' }),
  'POST /api/nautilus/database/export-parquet': () => ok({ message: 'Export of parquet finished' }),
  'POST /api/nautilus/database/clean-parquet': () => ok({ message: 'Cleaning of parquet finished' }),
  'POST /api/nautilus/database/flush-redis': () => ok({ message: 'Flush of redis finished' }),
  'GET /api/nautilus/database/redis-stats': () => ok({ keys: 0 }),
}

const strategyRoutes: Routes = {
  'GET /api/strategies': ({ state }) => ok({ strategies: state.strategies }),
  'GET /api/nautilus/strategies': ({ state }) => ok({ strategies: state.strategies }),
  'GET /api/nautilus/strategies/:id': ({ state, params }) => {
    const strategy = byId(state.strategies, params.id)
    return strategy ? ok(strategy) : NOT_FOUND
  },
  'POST /api/strategies': addStrategy,
  'POST /api/nautilus/strategies': addStrategy,
  'POST /api/strategies/:id/start': (input) => turnStrategy(input, 'running'),
  'POST /api/strategies/:id/stop': (input) => turnStrategy(input, 'stopped'),
  'DELETE /api/strategies/:id': ({ state, params }) => {
    if (!byId(state.strategies, params.id)) return NOT_FOUND
    state.strategies = without(state.strategies, params.id)
    return ok({})
  },
}

const orderRoutes: Routes = {
  'GET /api/orders': ({ state }) => ok({ orders: state.orders }),
  'POST /api/orders': placeOrder,
  'DELETE /api/orders/:id': ({ state, params }) => {
    const order = byId(state.orders, params.id)
    if (!order) return NOT_FOUND
    order.status = 'CANCELLED'
    return ok({})
  },
  'GET /api/positions': ({ state }) => ok({ positions: state.positions }),
  'POST /api/positions/:id/close': ({ state, params }) => {
    if (!byId(state.positions, params.id)) return NOT_FOUND
    state.positions = without(state.positions, params.id)
    return ok({})
  },
}

const riskRoutes: Routes = {
  'GET /api/risk/metrics': ({ state }) => ok(state.metrics),
  'GET /api/risk/limits': ({ state }) => ok(state.limits),
  'POST /api/risk/limits': ({ state, body }) => {
    state.limits = { ...state.limits, ...fieldsOf(body) }
    return ok({})
  },
}

export const tradingRoutes: Routes = {
  ...engineRoutes,
  ...maintenanceRoutes,
  ...strategyRoutes,
  ...orderRoutes,
  ...riskRoutes,
}

function named(body: unknown, field: string): string {
  return textOf(fieldsOf(body)[field], 'nothing')
}

function addStrategy({ state, body }: HandlerInput): Reply {
  const { name, type, description, config } = fieldsOf(body)
  const strategy: Strategy = {
    id: `S-${state.strategies.length + 1}-new`,
    name: textOf(name),
    type: textOf(type),
    description: textOf(description),
    config: fieldsOf(config),
    status: 'stopped',
    performance: { total_pnl: 0, total_trades: 0, win_rate: 0 },
  }
  state.strategies = [...state.strategies, strategy]
  return ok({})
}

function turnStrategy({ state, params }: HandlerInput, status: string): Reply {
  const strategy = byId(state.strategies, params.id)
  if (!strategy) return NOT_FOUND
  strategy.status = status
  return ok({})
}

function placeOrder({ state, body }: HandlerInput): Reply {
  const { instrument, side, type, quantity, price } = fieldsOf(body)
  const isMarket = type === 'MARKET'
  const order = {
    id: `O-${state.orders.length + 1}-new`,
    instrument: textOf(instrument),
    side: textOf(side),
    type: textOf(type),
    quantity: numberOf(quantity),
    price: isMarket ? null : numberOf(price),
    filled_qty: isMarket ? numberOf(quantity) : 0,
    status: isMarket ? 'FILLED' : 'PENDING',
  }
  state.orders = [order, ...state.orders]
  return ok({})
}

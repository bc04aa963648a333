import {
  type AccountView,
  type ClosedPositionView,
  type EmergencyView,
  type EngineView,
  type FillRecord,
  type Instant,
  type Instrument,
  type LimitUse,
  nearestMoney,
  type OrderPreview,
  type OrderView,
  type PositionView,
  type PreviewPart,
  printMoney,
  quantityToNumber,
  type RiskView,
  type StrategyView,
} from '@binnacle/engine'
import { START } from '@binnacle/engine/testkit'
import type { Preview, Row } from '#protocol.ts'

/** Prints a number of our views as a plain decimal, as a node does. */
export function decimal(value: number): string {
  return printMoney(nearestMoney(value))
}

export function nanos(at: Instant | number): string {
  return `${at}000000`
}

export const NODE_MANUAL = 'MANUAL-000'

export function nodeStrategyId(id: string): string {
  return id === 'MANUAL' ? NODE_MANUAL : `FAKE-${id}`
}

/** A node names each instrument with its venue. */
export function nodeInstrumentId({ symbol, venue }: Instrument): string {
  return `${symbol}.${venue}`
}

export function instrumentRow(instrument: Instrument): Row<'instruments'> {
  const { symbol, venue, kind, base, quote, tick, lot } = instrument
  return {
    id: nodeInstrumentId(instrument),
    symbol,
    venue,
    kind,
    base,
    quote,
    tick: decimal(Number(tick.units) / 1e8),
    lot: decimal(Number(lot.units) / 1e8),
    min_quantity: decimal(quantityToNumber(instrument.minQuantity, lot)),
    max_quantity: decimal((lot.maxCount * lot.unitCount) / 1e8),
    max_price: decimal((tick.maxCount * tick.unitCount) / 1e8),
    maker_fee: decimal(instrument.makerFeePpm / 1e6),
    taker_fee: decimal(instrument.takerFeePpm / 1e6),
    margin_rate: decimal(instrument.marginRatePpm / 1e6),
  }
}

export function engineRow(engine: EngineView, traderId: string, isReset: boolean): Row<'engine'> {
  return {
    id: 'engine',
    trader_id: traderId,
    environment: 'sandbox',
    mode: 'paper',
    state: engine.isRunning ? 'RUNNING' : 'STOPPED',
    is_running: engine.isRunning,
    started_at: nanos(START),
    account_reset: isReset,
  }
}

/** The engines and clients that a node has. */
export function componentRows(engine: EngineView): Row<'components'>[] {
  return [
    ...['DataEngine', 'RiskEngine', 'ExecEngine', 'OrderEmulator'].map((id) => ({
      id,
      type: 'Engine' as const,
      state: 'RUNNING',
    })),
    ...engine.venues.map(({ id, isConnected }) => ({
      id: `exec_client:${id}`,
      type: 'ExecClient' as const,
      state: 'RUNNING',
      is_connected: isConnected,
      venue: id,
    })),
  ]
}

export function riskRow(risk: RiskView, emergency: EmergencyView): Row<'risk'> {
  const { limits, tradingStateReason: reason } = risk
  return {
    id: 'risk',
    trading_state: risk.tradingState,
    reason: reason && { code: reason.code, message: 'note' in reason ? reason.note : '' },
    since: nanos(risk.tradingStateSince),
    limits: {
      max_order_size: decimal(limits.maxOrderSize),
      max_position_size: decimal(limits.maxPositionSize),
      max_daily_loss: decimal(limits.maxDailyLoss),
      max_positions: limits.maxPositions,
    },
    breaches: risk.breaches.map(({ limit, value, threshold, at }) => ({
      limit,
      value: decimal(value),
      threshold: decimal(threshold),
      ts: nanos(at),
    })),
    max_drawdown: decimal(risk.maxDrawdown),
    emergency: {
      active: emergency.isActive,
      started_at: emergency.startedAt === null ? null : nanos(emergency.startedAt),
      ended_at: emergency.endedAt === null ? null : nanos(emergency.endedAt),
      outcome: emergency.outcome,
      venues: emergency.venues.map(({ venue, ordersAtStart, positionsAtStart }) => ({
        venue,
        orders: ordersAtStart,
        positions: positionsAtStart,
      })),
      left: emergency.isActive
        ? null
        : emergency.venues.map(({ venue, ordersLeft, positionsLeft }) => ({
            venue,
            orders: ordersLeft,
            positions: positionsLeft,
          })),
      resumed_at: emergency.resumedAt === null ? null : nanos(emergency.resumedAt),
    },
  }
}

export function strategyRow(strategy: StrategyView, results: AccountView['strategies']): Row<'strategies'> {
  const result = results.find((row) => row.strategy === strategy.id)
  return {
    id: nodeStrategyId(strategy.id),
    name: strategy.name,
    template: strategy.type,
    description: strategy.description,
    config: JSON.parse(strategy.config),
    state: NODE_STATES[strategy.status],
    reason: strategy.reason,
    loss_limit: strategy.lossLimit === null ? null : decimal(strategy.lossLimit),
    added_at: nanos(strategy.addedAt),
    stats: {
      fills: strategy.fills,
      closed: strategy.trades,
      won: Math.round((strategy.winRate ?? 0) * strategy.trades),
      realized: decimal(result?.realised ?? 0),
      fees: decimal(result?.fees ?? 0),
    },
  }
}

const NODE_STATES: Record<StrategyView['status'], string> = {
  running: 'RUNNING',
  stopped: 'STOPPED',
  error: 'FAULTED',
}

export function accountRow(account: AccountView, risk: RiskView): Row<'accounts'> {
  const { deposited, realised, fees } = account.exact
  const total = printMoney(nearestMoney(Number(deposited) + Number(realised) - Number(fees)))
  return {
    id: 'SIM-001',
    currency: 'USDT',
    deposited,
    total,
    free: decimal(risk.marginAvailable),
    locked: decimal(risk.marginUsed),
    margin_initial: decimal(risk.marginUsed),
    realized: realised,
    fees,
    others: [],
  }
}

export interface OrderDetails {
  /** The id of the order in the node. */
  readonly id: string
  readonly instrument: Instrument
  readonly fills: readonly FillRecord[]
}

export function orderRow(order: OrderView, { id, instrument, fills }: OrderDetails): Row<'orders'> {
  const isStop = order.type === 'STOP'
  const price = order.price === null ? null : decimal(order.price)
  const isOpen = order.status === 'PENDING'
  return {
    id,
    strategy_id: nodeStrategyId(order.strategy),
    instrument_id: nodeInstrumentId(instrument),
    side: order.side,
    type: isStop ? 'STOP_MARKET' : order.type,
    tif: order.timeInForce,
    quantity: decimal(order.quantity),
    filled: decimal(order.filled),
    price: isStop ? null : price,
    trigger_price: isStop ? price : null,
    reduce_only: order.reduceOnly,
    status: nodeStatus(order),
    open: isOpen,
    closed: !isOpen,
    filled_value: decimal(order.filled * (order.averagePrice ?? 0)),
    fees: decimal(order.fees),
    reason: order.reason && { code: reasonCode(order), message: order.reason.sentence },
    fills: fills.map((fill) => ({
      trade_id: `T-${fill.fill}`,
      price: decimal(fill.price),
      quantity: decimal(fill.quantity),
      commission: { amount: decimal(fill.fee), currency: 'USDT' },
      liquidity: fill.liquidity,
      realized: decimal(fill.realised),
      ts: nanos(fill.at),
    })),
    ts_init: nanos(order.createdAt),
    ts_last: nanos(order.updatedAt),
  }
}

function nodeStatus(order: OrderView): string {
  switch (order.status) {
    case 'PENDING':
      if (order.isCancelRequested) return 'PENDING_CANCEL'
      return order.filled > 0 ? 'PARTIALLY_FILLED' : 'ACCEPTED'
    case 'REJECTED':
      return order.reason?.code.startsWith('venue.') ? 'REJECTED' : 'DENIED'
    case 'CANCELLED':
      return 'CANCELED'
    case 'FILLED':
      return 'FILLED'
  }
}

function reasonCode({ status, reason }: OrderView): 'risk' | 'venue' | 'cancel' {
  if (status === 'CANCELLED') return 'cancel'
  return reason?.code.startsWith('venue.') ? 'venue' : 'risk'
}

export function nodePositionId(position: { instrument: string; strategy: string }): string {
  return `${position.instrument}-${nodeStrategyId(position.strategy)}`
}

export function positionRow(position: PositionView, instrument: Instrument): Row<'positions'> {
  return {
    id: nodePositionId({ instrument: nodeInstrumentId(instrument), strategy: position.strategy }),
    instrument_id: nodeInstrumentId(instrument),
    strategy_id: nodeStrategyId(position.strategy),
    side: position.side,
    quantity: decimal(position.quantity),
    entry_value: decimal(position.quantity * position.entryPrice),
    realized: decimal(position.realised),
    fees: decimal(position.fees),
    ts_opened: nanos(position.openedAt),
    stop_loss: position.stopLoss === null ? null : decimal(position.stopLoss),
    take_profit: position.takeProfit === null ? null : decimal(position.takeProfit),
    exit_obstacle: position.exitObstacle,
  }
}

export function closedRow(position: ClosedPositionView, instrument: Instrument): Row<'positions'> {
  return {
    id: nodePositionId({ instrument: nodeInstrumentId(instrument), strategy: position.strategy }),
    instrument_id: nodeInstrumentId(instrument),
    strategy_id: nodeStrategyId(position.strategy),
    side: 'FLAT',
    quantity: '0',
    entry_value: '0',
    realized: decimal(position.realised),
    fees: decimal(position.fees),
    ts_opened: nanos(position.openedAt),
    ts_closed: nanos(position.closedAt),
  }
}

/** What a node answers to `order.preview`. */
export function previewData(preview: OrderPreview): Preview {
  const { denial, quote, fill, margin, limits } = preview
  const use = ({ before, after, limit }: LimitUse) => ({
    before: decimal(before),
    after: decimal(after),
    limit: decimal(limit),
  })
  const part = ({ quantity, price, cost, fee }: PreviewPart) => ({
    quantity: decimal(quantity),
    price: price === null ? null : decimal(price),
    value: decimal(cost),
    fee: decimal(fee),
  })
  return {
    denial: denial?.sentence ?? null,
    quote: quote && { bid: decimal(quote.bid), ask: decimal(quote.ask), ts: nanos(quote.at) },
    fill: fill && part(fill),
    rest: part(preview.rest),
    cancelled: decimal(preview.cancelled),
    position: { before: decimal(preview.position.before), after: decimal(preview.position.after) },
    margin: {
      before: decimal(margin.before),
      after: decimal(margin.after),
      equity: decimal(limits.margin.limit),
    },
    limits: {
      max_order_size: use(limits.orderSize),
      max_position_size: use(limits.positionSize),
      max_daily_loss: use(limits.dailyLoss),
      max_positions: use(limits.positions),
    },
  }
}

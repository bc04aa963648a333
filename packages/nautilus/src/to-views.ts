import {
  type ClosedPositionView,
  type ComponentStatus,
  type ComponentView,
  type FillRecord,
  type Instant,
  type InstrumentId,
  idFrom,
  instantFromMs,
  MANUAL,
  type OrderId,
  type OrderType,
  type OrderView,
  type PositionId,
  type PositionView,
  type StrategyId,
  seqFrom,
  type TimeInForce,
  type TimelineEntry,
} from '@binnacle/engine'
import type { Metrics, Row } from './protocol.ts'

/** NautilusTrader's id of the strategy that places orders by hand. */
export const NODE_MANUAL = 'MANUAL-000'

const NANO_DIGITS = 6

/** Nanoseconds as our milliseconds. */
export function instantOf(nanos: string | null | undefined): Instant {
  return instantFromMs(Number((nanos ?? '').slice(0, -NANO_DIGITS) || '0'))
}

export function strategyIdOf(id: string): StrategyId {
  return id === NODE_MANUAL ? MANUAL : idFrom(id)
}

export function nodeStrategyIdOf(id: StrategyId): string {
  return id === MANUAL ? NODE_MANUAL : id
}

const ORDER_TYPES: Readonly<Record<string, OrderType>> = {
  MARKET: 'MARKET',
  LIMIT: 'LIMIT',
  STOP_MARKET: 'STOP',
  STOP: 'STOP',
}

/** Any working state is PENDING; DENIED is risk's no, REJECTED the venue's. */
const FINISHED: Readonly<Record<string, OrderView['status']>> = {
  FILLED: 'FILLED',
  CANCELED: 'CANCELLED',
  EXPIRED: 'CANCELLED',
  REJECTED: 'REJECTED',
  DENIED: 'REJECTED',
}

export function isFinished({ status }: Row<'orders'>): boolean {
  return FINISHED[status] !== undefined
}

export function viewOrder(row: Row<'orders'>, number: number, isPaper: boolean): OrderView {
  const filled = Number(row.filled)
  const price = row.price ?? row.trigger_price
  return {
    id: idFrom<OrderId>(row.id),
    number,
    strategy: strategyIdOf(row.strategy_id),
    instrument: idFrom<InstrumentId>(row.instrument_id),
    side: row.side,
    // Types and times in force that only a node's own strategies use are shown by their names.
    type: ORDER_TYPES[row.type] ?? (row.type as OrderType),
    timeInForce: row.tif as TimeInForce, // As above.
    reduceOnly: row.reduce_only,
    ...(isPaper && { isPaper }),
    quantity: Number(row.quantity),
    price: price === null ? null : Number(price),
    filled,
    averagePrice: filled === 0 ? null : Number(row.filled_value) / filled,
    fees: Number(row.fees),
    status: FINISHED[row.status] ?? 'PENDING',
    isCancelRequested: row.status === 'PENDING_CANCEL',
    pendingChange: null,
    changeRejection: null,
    reason: reasonOf(row),
    createdAt: instantOf(row.ts_init),
    updatedAt: instantOf(row.ts_last),
  }
}

function reasonOf({ status, reason }: Row<'orders'>): OrderView['reason'] {
  const message = reason?.message ?? ''
  const sentence = message === '' ? undefined : asSentence(message)
  switch (FINISHED[status]) {
    case 'CANCELLED':
      return sentence === undefined
        ? { code: 'cancel.asked', sentence: 'Cancelled on request.' }
        : { code: 'cancel.venue', message, sentence }
    case 'REJECTED':
      return status === 'DENIED'
        ? { code: 'engine.denied', message, sentence: sentence ?? 'Denied by the node.' }
        : { code: 'venue.refused', message, sentence: sentence ?? 'Rejected by the venue.' }
    default:
      return null
  }
}

export function asSentence(message: string): string {
  return /[.!?]$/.test(message) ? message : `${message}.`
}

/** The fills of an order, oldest first; their numbers are given by the caller. */
export function viewFills(row: Row<'orders'>): Omit<FillRecord, 'seq'>[] {
  return row.fills.map((fill, index) => ({
    orderId: idFrom<OrderId>(row.id),
    fill: index + 1,
    strategy: strategyIdOf(row.strategy_id),
    instrument: idFrom<InstrumentId>(row.instrument_id),
    side: row.side,
    quantity: Number(fill.quantity),
    price: Number(fill.price),
    value: Number(fill.price) * Number(fill.quantity),
    fee: Number(fill.commission.amount),
    realised: Number(fill.realized ?? 0),
    liquidity: fill.liquidity ?? 'TAKER',
    positionId: idFrom<PositionId>(row.position_id ?? `${row.instrument_id}-${row.strategy_id}`),
    at: instantOf(fill.ts),
  }))
}

/** What a node keeps about an order: its placing, its fills and its end. */
export function viewTimeline(row: Row<'orders'>, revision: number): TimelineEntry[] {
  const base = { revision, by: null }
  const terms = {
    quantity: Number(row.quantity),
    price: row.price === null && row.trigger_price === null ? null : Number(row.price ?? row.trigger_price),
  }
  const reason = reasonOf(row)
  const sentence = reason === null ? {} : { sentence: reason.sentence }
  const isDenied = row.status === 'DENIED'
  const placed: TimelineEntry = {
    ...base,
    ...terms,
    ...(row.exit && { sentence: `The engine placed it at the ${row.exit.kind} of ${row.exit.price}.` }),
    ...(isDenied && sentence),
    at: instantOf(row.ts_init),
    event: isDenied ? 'OrderDenied' : 'OrderSubmitted',
  }
  const fills = viewFills(row).map(
    ({ at, quantity, price, fee, liquidity, realised }): TimelineEntry => ({
      ...base,
      at,
      quantity,
      price,
      fee,
      liquidity,
      realised,
      event: 'OrderFilled',
    }),
  )
  const end = { ...base, ...sentence, at: instantOf(row.ts_last) }
  switch (FINISHED[row.status]) {
    case 'CANCELLED':
      return [placed, ...fills, { ...end, event: 'OrderCancelled' }]
    case 'REJECTED':
      return isDenied ? [placed] : [placed, ...fills, { ...end, event: 'OrderRejected' }]
    default:
      return [placed, ...fills]
  }
}

export function viewPosition(row: Row<'positions'>, metrics: Metrics | null): PositionView {
  const quantity = Number(row.quantity)
  const entryValue = Number(row.entry_value)
  const entryPrice = quantity === 0 ? 0 : entryValue / quantity
  const mark = metrics?.positions.find(({ id }) => id === row.id)?.mark ?? null
  const currentPrice = mark === null ? entryPrice : Number(mark)
  const direction = row.side === 'SHORT' ? -1 : 1
  return {
    id: idFrom<PositionId>(row.id),
    strategy: strategyIdOf(row.strategy_id),
    instrument: idFrom<InstrumentId>(row.instrument_id),
    side: row.side === 'SHORT' ? 'SHORT' : 'LONG',
    quantity,
    entryPrice,
    currentPrice,
    markedAt: mark === null ? null : instantOf(metrics?.ts),
    unrealised: direction * (currentPrice * quantity - entryValue) || 0,
    realised: Number(row.realized),
    fees: Number(row.fees),
    funding: 0,
    stopLoss: numberOrNull(row.stop_loss),
    takeProfit: numberOrNull(row.take_profit),
    exitObstacle: row.exit_obstacle ?? null,
    openedAt: instantOf(row.ts_opened),
  }
}

function numberOrNull(decimal: string | null | undefined): number | null {
  return decimal == null ? null : Number(decimal)
}

/** A closed position; the side is that of the row before, since a closed one has none. */
export function viewClosed(
  row: Row<'positions'>,
  side: ClosedPositionView['side'],
  number: number,
): ClosedPositionView {
  const realised = Number(row.realized)
  const fees = Number(row.fees)
  return {
    id: idFrom<PositionId>(row.id),
    strategy: strategyIdOf(row.strategy_id),
    instrument: idFrom<InstrumentId>(row.instrument_id),
    side,
    realised,
    fees,
    funding: 0,
    result: realised - fees,
    openedAt: instantOf(row.ts_opened),
    closedAt: instantOf(row.ts_closed),
    seq: seqFrom(number),
  }
}

const COMPONENT_STATUS: Readonly<Record<string, ComponentStatus>> = {
  RUNNING: 'running',
  DEGRADED: 'paused',
  FAULTED: 'error',
}

/** Our name of a component of a node. */
const OUR_NAMES: Readonly<Record<string, string>> = { ExecEngine: 'ExecutionEngine' }

export function viewComponent({ id, type, state, is_connected, reason }: Row<'components'>): ComponentView {
  const isClient = type === 'DataClient' || type === 'ExecClient'
  const status = isClient
    ? is_connected
      ? 'running'
      : 'stopped'
    : state === null
      ? 'running'
      : (COMPONENT_STATUS[state] ?? 'stopped')
  return {
    name: OUR_NAMES[id] ?? id,
    type: type === 'Engine' ? 'Engine' : 'Component',
    status,
    // The node's own word for a state that ours do not have.
    reason: reason ?? (status === 'stopped' && state !== null && state !== 'STOPPED' ? state : null),
    config: '{}',
  }
}

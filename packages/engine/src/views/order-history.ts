import type { Instruments } from '#market/instruments.ts'
import type { OrderFilled } from '#model/event.ts'
import type { Moment } from '#model/journal-entry.ts'
import type { KeyedOrder } from '#model/order.ts'
import { findOrder, type OrderRegister } from '#state/order-register.ts'
import type { IdempotencyKey, InstrumentId, OrderId, PositionId, Seq, StrategyId } from '#values/ids.ts'
import type { Instant } from '#values/instant.ts'
import { moneyToNumber } from '#values/money.ts'
import { priceToNumber } from '#values/price.ts'
import { quantityToNumber } from '#values/quantity.ts'
import type { OrderStatus, OrderView } from './order-view.ts'
import type { ClosedPositionView } from './position-view.ts'

/** All finished orders, fills and closed positions. The views have working orders and the latest finished ones. */
export interface OrderHistory {
  page(query: OrderHistoryQuery): OrderView[]
  /** How many finished orders match, by status. */
  count(filter: OrderFilter): Readonly<Record<FinishedStatus, number>>
  find(id: OrderId): OrderView | null
  /** The order of an idempotency key, working ones included. */
  findKey(key: IdempotencyKey): KeyedOrder | null
  /** Fills of all orders or of one. */
  fills(query: RecordQuery & { orderId?: OrderId | undefined }): RecordPage<FillRecord>
  /** In the order in which they were closed. */
  closedPositions(query: RecordQuery): RecordPage<ClosedPositionView>
  /** The revision up to which everything is stored. */
  position(): { readonly seq: number }
}

export type FinishedStatus = Exclude<OrderStatus, 'PENDING'>

/** Which orders; all without. */
export interface OrderFilter {
  instrument?: string | undefined
  strategy?: string | undefined
  /** Placed at or after. */
  from?: Instant | undefined
  /** Placed before. */
  to?: Instant | undefined
}

/** A page of past orders, newest first. */
export interface OrderHistoryQuery extends OrderFilter {
  /** Only orders with a lower number. */
  before: number
  status?: OrderStatus | undefined
  limit: number
}

/** One fill of an order, in decimals. */
export interface FillRecord {
  readonly orderId: OrderId
  /** Counts the order's fills from 1. */
  readonly fill: number
  readonly strategy: StrategyId
  readonly instrument: InstrumentId
  readonly side: OrderView['side']
  readonly quantity: number
  readonly price: number
  /** Price × quantity. */
  readonly value: number
  readonly fee: number
  /** Of the closing part, before fees. */
  readonly realised: number
  readonly liquidity: OrderFilled['liquidity']
  /** The position after the fill. */
  readonly positionId: PositionId
  readonly at: Instant
  /** Of the embedded engine: the journal entry. Of a node: the fill's number in its history, in a change the revision. */
  readonly seq: Seq
}

/** Funding of a position. */
export interface FundingRecord {
  readonly strategy: StrategyId
  readonly instrument: InstrumentId
  /** Received when positive. */
  readonly amount: number
  readonly at: Instant
  readonly seq: Seq
}

/** A page, newest first. */
export interface RecordQuery {
  /** Only rows with a lower number; the newest without. */
  before?: number | undefined
  limit: number
}

/** Rows with the number of the last one, for the next page. */
export interface RecordPage<Row> {
  readonly rows: readonly Row[]
  readonly last: number | undefined
}

/** Returns a fill as records show it; null for an order that is no longer at hand. */
export function viewFill(
  event: OrderFilled,
  { at, seq }: Moment,
  orders: OrderRegister,
  instruments: Instruments,
): FillRecord | null {
  const order = findOrder(orders, event.orderId)
  if (order === undefined) return null
  const { strategy, instrument, side } = order.terms
  const { tick, lot } = instruments.get(instrument)
  return {
    orderId: order.id,
    fill: event.fill,
    strategy,
    instrument,
    side,
    quantity: quantityToNumber(event.quantity, lot),
    price: priceToNumber(event.price, tick),
    value: moneyToNumber(event.notional),
    fee: moneyToNumber(event.fee),
    realised: moneyToNumber(event.realised),
    liquidity: event.liquidity,
    positionId: event.positionId,
    at,
    seq,
  }
}

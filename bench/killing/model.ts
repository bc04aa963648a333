import type { ApiOrder, ReportedLimits } from './api.ts'

/** What a client asked for, in the order's own words. */
export interface OrderRequest {
  instrument: string
  side: 'BUY' | 'SELL'
  type: 'MARKET' | 'LIMIT'
  quantity: number
  price: number | null
}

/** What must be true of one order, from the replies received. */
export interface ExpectedOrder {
  readonly key: string
  readonly request: OrderRequest
  /** Known when the placing was answered. */
  id: string | undefined
  /** The price last acknowledged. */
  price: number | null
  /** A price that was asked for when the server died. */
  maybePrice: number | undefined
  /** Whether it was changed since the last check: a second change waits until the first one shows. */
  isChanged: boolean
  /** Whether a cancel was acknowledged, or asked for when the server died. */
  cancel: 'no' | 'maybe' | 'asked'
  /** How it was when it was first seen finished: it must stay so. */
  final: ApiOrder | undefined
}

/** What must be true of the server, built from what it acknowledged. */
export interface Model {
  readonly orders: ExpectedOrder[]
  /** Undefined until limits were first saved. */
  limits: ReportedLimits | undefined
  maybeLimits: ReportedLimits | undefined
  /** Commands that were answered. */
  acknowledged: number
  /** Commands that the server died under. */
  unknown: number
  /** What was found to be otherwise, in sentences. */
  readonly wrong: string[]
}

export function createModel(): Model {
  return { orders: [], limits: undefined, maybeLimits: undefined, acknowledged: 0, unknown: 0, wrong: [] }
}

export function expectOrder(model: Model, request: OrderRequest): ExpectedOrder {
  const order: ExpectedOrder = {
    key: `kill-${model.orders.length + 1}`,
    request,
    id: undefined,
    price: request.price,
    maybePrice: undefined,
    isChanged: false,
    cancel: 'no',
    final: undefined,
  }
  model.orders.push(order)
  return order
}

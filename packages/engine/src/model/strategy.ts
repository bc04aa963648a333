import type { OrderId } from '#values/ids.ts'
import type { TimeInForce } from './order.ts'
import type { Side } from './tick.ts'

/** What a strategy wants to do, in slots, ticks and lots. It passes the same gate as any order. */
export type Intent =
  | {
      readonly type: 'place'
      readonly slot: number
      readonly side: Side
      readonly lots: number
      readonly options: OrderOptions
    }
  | { readonly type: 'target'; readonly slot: number; readonly lots: number }
  | { readonly type: 'cancel'; readonly orderId: OrderId }

/** The options of an order; the price is in ticks. */
export interface OrderOptions {
  readonly price: number | null
  readonly timeInForce?: TimeInForce
  readonly reduceOnly?: boolean
}

export type StrategyStatus = 'running' | 'stopped' | 'error'

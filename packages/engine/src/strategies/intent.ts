import type { Side } from '#market/tick.ts'
import type { OrderId } from '#values/ids.ts'
import type { OrderWish } from './strategy.ts'

/** What a strategy wants, in slots, ticks and lots. It goes through the same gate as any order. */
export type Intent =
  | {
      readonly type: 'place'
      readonly slot: number
      readonly side: Side
      readonly lots: number
      readonly wish: OrderWish
    }
  | { readonly type: 'target'; readonly slot: number; readonly lots: number }
  | { readonly type: 'cancel'; readonly orderId: OrderId }

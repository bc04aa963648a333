import type { ComponentName } from '#components/names.ts'
import type { VenueId } from '#market/instrument.ts'
import type { Side } from '#market/tick.ts'

/** A stop on the wrong side of the market, where it would fire at once and be a market order. */
export interface StopPastMarket {
  readonly code: 'stop.past-market'
  readonly side: Side
  readonly price: number
  /** The bid for one that sells, the ask for one that buys. */
  readonly market: number
}

/** Why our own risk check said no to a well-formed order. Amounts are decimals of the quote currency. */
export type Denial =
  | { readonly code: 'trading.halted' }
  | { readonly code: 'trading.reducing' }
  | { readonly code: 'component.down'; readonly component: ComponentName; readonly status: string }
  | { readonly code: 'venue.disconnected'; readonly venue: VenueId }
  | { readonly code: 'market.none'; readonly instrument: string }
  | {
      readonly code: 'market.stale'
      readonly instrument: string
      readonly ageMs: number
      readonly maxAgeMs: number
    }
  | StopPastMarket
  | {
      readonly code: 'reduce-only.adds'
      readonly quantity: number
      readonly position: number
      readonly working: number
    }
  | { readonly code: 'limit.order-size'; readonly value: number; readonly limit: number }
  | {
      readonly code: 'limit.position-size'
      readonly exposure: number
      readonly wouldBe: number
      readonly limit: number
    }
  | { readonly code: 'limit.daily-loss'; readonly loss: number; readonly limit: number }
  | { readonly code: 'limit.positions'; readonly wouldBe: number; readonly limit: number }
  | { readonly code: 'margin.insufficient'; readonly required: number; readonly equity: number }

/** Why a venue said no to an order that risk had approved. */
export type VenueRejection =
  | { readonly code: 'venue.disconnected'; readonly venue: VenueId }
  | { readonly code: 'venue.refused'; readonly message: string }
  | StopPastMarket

/** Why a working order was taken back. */
export type CancelCause =
  | { readonly code: 'cancel.asked' }
  | { readonly code: 'cancel.remainder'; readonly timeInForce: 'IOC' | 'FOK' }
  | { readonly code: 'cancel.component-stopped'; readonly component: ComponentName }
  | { readonly code: 'cancel.trading-state'; readonly state: string }
  | { readonly code: 'cancel.nothing-to-reduce' }
  | { readonly code: 'cancel.position-closed' }
  | { readonly code: 'cancel.venue-disconnected'; readonly venue: VenueId }
  | { readonly code: 'cancel.venue'; readonly message: string }
  | { readonly code: 'cancel.strategy'; readonly strategy: string }
  | { readonly code: 'cancel.strategy-stopped'; readonly strategy: string }

type ValueField = 'price' | 'quantity'

/** Why a command makes no sense as sent; it leaves no trace. */
export type Malformed =
  | { readonly code: 'instrument.unknown'; readonly instrument: string }
  | {
      readonly code: `${ValueField}.${'not-a-number' | 'infinite' | 'zero' | 'negative'}`
      readonly given: string
    }
  | { readonly code: `${ValueField}.too-large`; readonly given: string; readonly max: string }
  | {
      readonly code: 'price.off-tick' | 'quantity.off-lot'
      readonly given: string
      readonly step: string
      readonly below: string
      readonly above: string
    }
  | { readonly code: 'price.missing'; readonly type: string }
  | {
      readonly code: 'quantity.below-minimum'
      readonly given: string
      readonly min: string
      readonly step: string
    }
  | { readonly code: 'quantity.below-filled'; readonly given: string; readonly filled: string }
  | { readonly code: 'time-in-force.unsupported'; readonly type: string; readonly timeInForce: string }
  | { readonly code: 'key.too-long'; readonly length: number; readonly max: number }
  /** By an order or a strategy of other terms. */
  | { readonly code: 'key.used'; readonly by: string }
  | {
      readonly code: 'limit.invalid'
      readonly limit: string
      readonly given: string
      /** What it can be: 'zero or more'. */
      readonly must: string
    }
  | { readonly code: 'strategy.type-unknown'; readonly type: string; readonly known: string }
  | { readonly code: 'setting.unknown'; readonly parameter: string; readonly known: string }
  | {
      readonly code: 'setting.invalid'
      readonly parameter: string
      readonly given: string
      readonly must: string
    }

/** Why a well-formed command cannot be carried out now. */
export type Conflict =
  | { readonly code: 'order.unknown'; readonly order: string }
  | { readonly code: 'order.finished'; readonly order: string; readonly state: string }
  | { readonly code: 'order.unchanged'; readonly order: string }
  | { readonly code: 'order.changing'; readonly order: string }
  | { readonly code: 'position.unknown'; readonly position: string }
  | { readonly code: 'strategy.unknown'; readonly strategy: string }
  | { readonly code: 'strategy.not-running'; readonly strategy: string }
  | {
      readonly code: 'strategy.holds'
      readonly strategy: string
      readonly name: string
      readonly held: string
      readonly isRunning: boolean
    }
  | {
      readonly code: 'strategy.orders-working'
      readonly strategy: string
      readonly name: string
      readonly orders: number
    }
  | { readonly code: 'trading.loss-reached'; readonly loss: number; readonly limit: number }
  | { readonly code: 'desk.already-open' }
  | { readonly code: 'desk.not-open' }
  | { readonly code: 'desk.halted'; readonly why: string }

/** Everything a command can be refused with. */
export type Refusal = Malformed | Conflict | Denial

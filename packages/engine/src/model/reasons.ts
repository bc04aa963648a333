import type { StrategyId } from '#values/ids.ts'
import type { ComponentName } from './component.ts'
import type { VenueId } from './instrument.ts'
import type { ExitKind } from './position.ts'
import type { RawLimits } from './risk.ts'
import type { Side } from './tick.ts'

/** What a person enters as an amount: the limits, the loss limit of a strategy, the cash of a new desk. */
export type AmountName = keyof RawLimits | 'lossLimit' | 'cash'

/** A stop on the wrong side of the market, where it would trigger at once. */
export interface StopPastMarket {
  readonly code: 'stop.past-market'
  readonly side: Side
  readonly price: number
  /** The bid for a sell stop, the ask for a buy stop. */
  readonly market: number
}

/** Why risk denied a well-formed order. Amounts are decimals of the quote currency. */
export type Denial =
  | { readonly code: 'trading.halted' }
  | { readonly code: 'trading.reducing' }
  | { readonly code: 'component.down'; readonly component: ComponentName; readonly status: string }
  | { readonly code: 'feature.live-trading-off' }
  | { readonly code: 'feature.multi-exchange-off'; readonly venue: VenueId; readonly primary: VenueId }
  | { readonly code: 'service.order-execution-stopped' }
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
      readonly code: 'price.collar'
      readonly side: Side
      readonly price: number
      readonly mark: number
      /** The highest price of a buy, or the lowest of a sell, that is accepted. */
      readonly bound: number
    }
  | {
      readonly code: 'reduce-only.adds'
      readonly quantity: number
      readonly position: number
      readonly working: number
    }
  | {
      readonly code: 'spot.short'
      readonly strategy: StrategyId
      /** The currency that is sold. */
      readonly base: string
      /** Below zero for a short position of an older version. */
      readonly held: number
      /** What working sell orders already sell of it. */
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
  | {
      readonly code: 'limit.strategy-loss'
      readonly strategy: StrategyId
      readonly loss: number
      readonly limit: number
    }
  | { readonly code: 'limit.positions'; readonly wouldBe: number; readonly limit: number }
  | { readonly code: 'margin.insufficient'; readonly required: number; readonly equity: number }
  /** By the checks of another engine, in its own words. */
  | { readonly code: 'engine.denied'; readonly message: string }

/** Why a venue rejected an order that risk had approved. */
export type VenueRejection =
  | { readonly code: 'venue.disconnected'; readonly venue: VenueId }
  | { readonly code: 'venue.refused'; readonly message: string }
  | StopPastMarket

/** Why a working order was cancelled. */
export type CancelCause =
  | { readonly code: 'cancel.asked' }
  | { readonly code: 'cancel.remainder'; readonly timeInForce: 'IOC' | 'FOK' }
  | { readonly code: 'cancel.component-stopped'; readonly component: ComponentName }
  | { readonly code: 'cancel.trading-state'; readonly state: string }
  | { readonly code: 'cancel.nothing-to-reduce' }
  | { readonly code: 'cancel.nothing-to-sell' }
  | { readonly code: 'cancel.position-closed' }
  | { readonly code: 'cancel.emergency' }
  | { readonly code: 'cancel.venue-disconnected'; readonly venue: VenueId }
  | { readonly code: 'cancel.reconciled'; readonly venue: VenueId }
  | { readonly code: 'cancel.venue'; readonly message: string }
  | { readonly code: 'cancel.strategy'; readonly strategy: string }
  | {
      readonly code: 'cancel.strategy-stopped' | 'cancel.strategy-reconfigured'
      readonly strategy: string
    }

type ValueField = 'price' | 'quantity'

/** Why a command is malformed; it leaves no journal entry. */
export type MalformedInput =
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
  | { readonly code: 'quantity.above-position'; readonly given: string; readonly held: string }
  | { readonly code: 'quantity.below-filled'; readonly given: string; readonly filled: string }
  | { readonly code: 'exit.malformed'; readonly exit: ExitKind; readonly problem: MalformedInput }
  | { readonly code: 'time-in-force.unsupported'; readonly type: string; readonly timeInForce: string }
  | { readonly code: 'key.too-long'; readonly length: number; readonly max: number }
  /** The order or strategy that used the key first. */
  | { readonly code: 'key.used'; readonly by: string }
  | {
      readonly code: 'limit.invalid'
      readonly limit: AmountName
      readonly given: string
      /** What it must be: 'zero or more'. */
      readonly requirement: string
    }
  | { readonly code: 'strategy.name-taken'; readonly name: string; readonly by: StrategyId }
  | { readonly code: 'strategy.type-unknown'; readonly type: string; readonly known: string }
  | { readonly code: 'setting.unknown'; readonly parameter: string; readonly known: string }
  | {
      readonly code: 'setting.instrument-unknown'
      readonly parameter: string
      readonly instrument: string
      /** The known instrument that it resembles. */
      readonly suggestion: string | null
    }
  | {
      readonly code: 'setting.invalid'
      readonly parameter: string
      /** Of the parameter on the screen. */
      readonly label: string
      readonly given: string
      readonly requirement: string
    }

/** Why a well-formed command cannot be executed now. */
export type Conflict =
  | { readonly code: 'order.unknown'; readonly order: string }
  | { readonly code: 'order.finished'; readonly order: string; readonly state: string }
  | { readonly code: 'order.unchanged'; readonly order: string }
  | { readonly code: 'order.changing'; readonly order: string }
  | { readonly code: 'position.unknown'; readonly position: string }
  /** An exit price that the market has passed already. */
  | {
      readonly code: 'exit.past-market'
      readonly exit: ExitKind
      readonly isLong: boolean
      readonly price: number
      /** The bid for a long position, the ask for a short one. */
      readonly market: number
    }
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
  /** A time-ordered key that no order has. */
  | { readonly code: 'key.too-old'; readonly hours: number; readonly maxHours: number }
  /** The store of older keys cannot be read, so a repeat would not be recognised. */
  | { readonly code: 'key.unverified'; readonly why: string }
  | { readonly code: 'trading.loss-reached'; readonly loss: number; readonly limit: number }
  | { readonly code: 'emergency.active' }
  /** Live Trading is never on without Risk Management. */
  | { readonly code: 'feature.risk-off' | 'feature.live-on' }
  /** The accounts are swapped only while no order works and no position is open. */
  | { readonly code: 'feature.account-in-use'; readonly orders: number; readonly positions: number }
  | { readonly code: 'desk.already-open' }
  | { readonly code: 'desk.not-open' }
  | { readonly code: 'desk.halted'; readonly haltReason: string }
  /** By another engine, in its own words. */
  | { readonly code: 'engine.refused'; readonly message: string }
  /** Another engine has no such thing. */
  | { readonly code: 'engine.not-offered'; readonly what: string }

/** Every reason for which a command can be refused. */
export type Refusal = MalformedInput | Conflict | Denial

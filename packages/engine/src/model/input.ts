import type { DecimalText } from '#values/decimal.ts'
import type { IdempotencyKey, InstrumentId, OrderId, PositionId, StrategyId } from '#values/ids.ts'
import type { Instant } from '#values/instant.ts'
import type { Money } from '#values/money.ts'
import type { Price } from '#values/price.ts'
import type { NetQuantity, Quantity } from '#values/quantity.ts'
import type { ComponentName } from './component.ts'
import type { FeatureName, ServiceName } from './feature.ts'
import type { Liquidity, VenueId } from './instrument.ts'
import type { CommandOrigin } from './journal-entry.ts'
import type { KeyedOrder, OrderType, TimeInForce } from './order.ts'
import type { CancelCause, VenueRejection } from './reasons.ts'
import type { RawLimits, TradingState } from './risk.ts'
import type { Intent } from './strategy.ts'
import type { MarketTick, Side } from './tick.ts'

/** Everything that can change trading state. There is no second way in. */
export type Input = MarketTick | VenueReports | CommandReceived | TimerFired

/** A command with the time it was received and who sent it. */
export interface CommandReceived {
  readonly kind: 'command'
  readonly at: Instant
  readonly by: string | null
  readonly requestId: string | null
  readonly origin?: CommandOrigin
  readonly command: Command
}

/** Time passes without a tick: days start, equity is sampled, delayed venue messages arrive. Every 5 ms in live trading. */
export interface TimerFired {
  readonly kind: 'timer'
  readonly at: Instant
}

/** Reports that arrived together; processed together, so that a burst of fills is one journal entry. */
export interface VenueReports {
  readonly kind: 'reports'
  readonly at: Instant
  readonly reports: readonly VenueReport[]
}

/** A venue's report about our orders, funding or its connection. */
export type VenueReport = OrderReport | FundingReport | ConnectionReport

export type OrderReport = { readonly orderId: OrderId } & (
  | { readonly type: 'accepted' | 'triggered' }
  | { readonly type: 'rejected'; readonly reason: VenueRejection }
  // The number of the change that it answers.
  | { readonly type: 'changeRejected'; readonly change: number; readonly reason: VenueRejection }
  | {
      readonly type: 'changed'
      readonly change: number
      readonly quantity: Quantity
      readonly price: Price | null
    }
  | { readonly type: 'cancelled'; readonly cause: CancelCause }
  | {
      readonly type: 'filled'
      readonly fill: number
      readonly quantity: Quantity
      readonly price: Price
      readonly liquidity: Liquidity
      readonly fee: Money
    }
)

/** Longs pay shorts the rate when it is positive, in units of 10⁻⁸ of the position's value at the price. */
export interface FundingReport {
  readonly type: 'funding'
  readonly instrument: InstrumentId
  readonly rateE8: number
  readonly price: Price
  /** The time that it settles, by which a repeat is recognised. */
  readonly settledAt?: Instant
}

export interface ConnectionReport {
  readonly type: 'connected' | 'disconnected'
  readonly venue: VenueId
  /** What the venue has of ours, with all earlier reports applied; for a venue that cannot say it is left out. */
  readonly holdings?: VenueHoldingsReport
}

/** What a venue has of ours. */
export interface VenueHoldingsReport {
  readonly orders: readonly { readonly orderId: OrderId; readonly instrument: InstrumentId }[]
  readonly positions: readonly {
    readonly strategy: StrategyId
    readonly instrument: InstrumentId
    readonly lots: NetQuantity
  }[]
}

/** A request to change trading state. */
export type Command =
  | OpenDesk
  | PlaceOrder
  | ModifyOrder
  | { readonly type: 'CancelOrder'; readonly orderId: OrderId }
  | ClosePosition
  | ChangeExits
  | { readonly type: 'ChangeLimits'; readonly limits: RawLimits }
  | { readonly type: 'ChangeTradingState'; readonly to: TradingState; readonly note?: string }
  | {
      readonly type: 'StartComponent' | 'StopComponent' | 'PauseComponent' | 'RestartComponent'
      readonly component: ComponentName
    }
  | { readonly type: 'FailComponent'; readonly component: ComponentName; readonly reason: string }
  | { readonly type: 'ConfigureComponent'; readonly component: ComponentName; readonly config: string }
  | { readonly type: 'SwitchFeature'; readonly feature: FeatureName; readonly isEnabled: boolean }
  | {
      readonly type: 'StartService' | 'StopService' | 'RestartService'
      readonly service: ServiceName
    }
  | { readonly type: 'ConnectVenue' | 'DisconnectVenue'; readonly venue: VenueId }
  | { readonly type: 'RecordHalt'; readonly message: string }
  | { readonly type: 'StartEmergency' | 'EndEmergency' }
  | AddStrategy
  | { readonly type: 'StartStrategy'; readonly strategy: StrategyId }
  | { readonly type: 'StopStrategy'; readonly strategy: StrategyId; readonly why?: string }
  | { readonly type: 'RemoveStrategy'; readonly strategy: StrategyId }
  | { readonly type: 'FailStrategy'; readonly strategy: StrategyId; readonly reason: string }
  | { readonly type: 'ReconfigureStrategy'; readonly strategy: StrategyId; readonly config: RawConfig }
  | { readonly type: 'RenameStrategy'; readonly strategy: StrategyId; readonly name: string }
  /** Null removes the limit. */
  | {
      readonly type: 'LimitStrategyLoss'
      readonly strategy: StrategyId
      readonly limit: DecimalText | null
    }
  | {
      readonly type: 'SubmitIntents'
      readonly strategy: StrategyId
      readonly intents: readonly Intent[]
      /** The instruments whose slots the intents name; without them those of the running strategy. */
      readonly instruments?: readonly InstrumentId[]
    }

/** The first command of a new journal. */
export interface OpenDesk {
  readonly type: 'OpenDesk'
  readonly cash: DecimalText
  readonly limits: RawLimits
  readonly venues: readonly VenueId[]
}

/** An order as requested, not yet validated. */
export interface PlaceOrder {
  readonly type: 'PlaceOrder'
  /** MANUAL unless a strategy places it. */
  readonly strategy?: StrategyId
  readonly instrument: string
  readonly side: Side
  readonly orderType: OrderType
  readonly quantity: DecimalText
  /** Needed for LIMIT and STOP, ignored for MARKET. */
  readonly price?: DecimalText | null
  readonly timeInForce?: TimeInForce
  readonly reduceOnly?: boolean
  readonly key?: IdempotencyKey
  /** The order of the same key, added by the desk when the key is older than those in hard state. */
  readonly orderOfKey?: KeyedOrder
}

export interface ClosePosition {
  readonly type: 'ClosePosition'
  readonly positionId: PositionId
  /** How much of it; all of it if left out. */
  readonly quantity?: DecimalText
  readonly key?: IdempotencyKey
  readonly orderOfKey?: KeyedOrder
}

/** New exit prices of a position: null removes one, an omitted one stays. */
export interface ChangeExits {
  readonly type: 'ChangeExits'
  readonly positionId: PositionId
  readonly stopLoss?: DecimalText | null
  readonly takeProfit?: DecimalText | null
}

/** New quantity or price for a working order; omitted fields stay as they are. */
export interface ModifyOrder {
  readonly type: 'ModifyOrder'
  readonly orderId: OrderId
  readonly quantity?: DecimalText
  readonly price?: DecimalText
}

/** A strategy as requested, its settings not yet validated. It is added stopped. */
export interface AddStrategy {
  readonly type: 'AddStrategy'
  readonly name: string
  readonly strategyType: string
  readonly description: string
  readonly config: RawConfig
  readonly key?: IdempotencyKey
  /** The lowest number that its id may have; lower ones belonged to a journal that was replaced by an older one. */
  readonly minNumber?: number
}

/** Settings by name; omitted ones take their defaults. */
export type RawConfig = Readonly<Record<string, unknown>>

import type { IdempotencyKey, InstrumentId, OrderId, PositionId, StrategyId } from '#values/ids.ts'
import type { Instant } from '#values/instant.ts'
import type { Money } from '#values/money.ts'
import type { Price } from '#values/price.ts'
import type { Quantity } from '#values/quantity.ts'
import type { ComponentName, ComponentStatus } from './component.ts'
import type { FeatureName, ServiceName } from './feature.ts'
import type { Liquidity, VenueId } from './instrument.ts'
import type { OrderTerms } from './order.ts'
import type { OrderBasis } from './order-basis.ts'
import type { ExitPrices } from './position.ts'
import type { CancelCause, Denial, VenueRejection } from './reasons.ts'
import type { EmergencyOutcome, EmergencyScope, Limits, TradingState, TradingStateReason } from './risk.ts'
import type { StrategyStatus } from './strategy.ts'

/**
 * What happened. Events carry every result (fee, realised P&L, position), so folding them needs no trading rule and a
 * newer engine cannot change history (0003). An event of a person's change also has the values `before`, for the audit
 * record (0009); events of older journals do not.
 */
export type Event = OrderEvent | AccountEvent | RiskEvent | PlatformEvent | StrategyEvent
export type EventType = Event['type']

export type OrderEvent =
  | {
      readonly type: 'OrderDenied'
      readonly orderId: OrderId
      readonly terms: OrderTerms
      readonly reason: Denial
      readonly basis?: OrderBasis
    }
  | {
      readonly type: 'OrderSubmitted'
      readonly orderId: OrderId
      readonly terms: OrderTerms
      readonly valuePerLot: Money
      readonly basis?: OrderBasis
    }
  | { readonly type: 'OrderAccepted'; readonly orderId: OrderId }
  | { readonly type: 'OrderTriggered'; readonly orderId: OrderId }
  | OrderFilled
  | {
      readonly type: 'OrderChangeRequested'
      readonly orderId: OrderId
      readonly quantity: Quantity
      readonly price: Price | null
      readonly valuePerLot: Money
      readonly before?: OrderBefore
    }
  | {
      readonly type: 'OrderChanged'
      readonly orderId: OrderId
      readonly quantity: Quantity
      readonly price: Price | null
      /** Present when a venue confirmed other numbers than those requested last. */
      readonly isOver?: true
    }
  | { readonly type: 'OrderChangeRejected'; readonly orderId: OrderId; readonly reason: VenueRejection }
  | { readonly type: 'OrderCancelRequested'; readonly orderId: OrderId; readonly cause: CancelCause }
  | { readonly type: 'OrderCancelled'; readonly orderId: OrderId; readonly cause: CancelCause }
  | { readonly type: 'OrderRejected'; readonly orderId: OrderId; readonly reason: VenueRejection }
  | {
      readonly type: 'ReportDisregarded'
      readonly orderId: OrderId
      readonly report: string
      readonly why: string
    }

/** An order before a requested change. */
export interface OrderBefore {
  readonly instrument: InstrumentId
  readonly quantity: Quantity
  readonly price: Price | null
}

export interface OrderFilled {
  readonly type: 'OrderFilled'
  readonly orderId: OrderId
  /** Counts an order's fills from 1, so that a repeated report is recognised. */
  readonly fill: number
  readonly quantity: Quantity
  readonly price: Price
  readonly liquidity: Liquidity
  /** Price × quantity, always positive. */
  readonly notional: Money
  readonly fee: Money
  /** Realised P&L of the closing part of the fill, before fees. */
  readonly realised: Money
  /** The position after the fill; a flip through zero begins a new one. */
  readonly positionId: PositionId
}

export type AccountEvent =
  | {
      readonly type: 'DeskOpened'
      readonly cash: Money
      readonly limits: Limits
      readonly venues: readonly VenueId[]
    }
  /** Before the first switch to the paper account. */
  | { readonly type: 'PaperAccountOpened'; readonly cash: Money }
  | {
      readonly type: 'FundingPaid'
      readonly strategy: StrategyId
      readonly instrument: InstrumentId
      /** Received when positive. */
      readonly amount: Money
      /** Older journals do not have it. */
      readonly settledAt?: Instant
    }
  | {
      readonly type: 'PositionExitsChanged'
      readonly positionId: PositionId
      readonly strategy: StrategyId
      readonly instrument: InstrumentId
      readonly exits: ExitPrices | null
      readonly before: ExitPrices | null
    }
  | { readonly type: 'DayStarted'; readonly day: Instant; readonly equity: Money }
  | { readonly type: 'HighWaterRaised'; readonly equity: Money }
  | { readonly type: 'DrawdownDeepened'; readonly drawdownPpm: number }

export type RiskEvent =
  | { readonly type: 'LimitsChanged'; readonly limits: Limits; readonly before?: Limits }
  | {
      readonly type: 'LimitBreached'
      readonly limit: 'max_daily_loss'
      readonly value: Money
      readonly threshold: Money
    }
  | {
      readonly type: 'TradingStateChanged'
      readonly from: TradingState
      readonly to: TradingState
      readonly reason: TradingStateReason
    }
  | { readonly type: 'EmergencyStarted'; readonly venues: readonly EmergencyScope[] }
  | {
      readonly type: 'EmergencyEnded'
      readonly outcome: EmergencyOutcome
      /** Older journals do not have it. */
      readonly left?: readonly EmergencyScope[]
    }

export type PlatformEvent =
  | {
      readonly type: 'ComponentChanged'
      readonly component: ComponentName
      readonly status: ComponentStatus
      readonly reason: string | null
      readonly before?: ComponentStatus
    }
  | {
      readonly type: 'ComponentConfigured'
      readonly component: ComponentName
      readonly config: string
      readonly before?: string
    }
  | { readonly type: 'FeatureSwitched'; readonly feature: FeatureName; readonly isEnabled: boolean }
  | { readonly type: 'ServiceSwitched'; readonly service: ServiceName; readonly isRunning: boolean }
  | { readonly type: 'VenueSwitched'; readonly venue: VenueId; readonly isWanted: boolean }
  | { readonly type: 'VenueConnected'; readonly venue: VenueId }
  | { readonly type: 'VenueDisconnected'; readonly venue: VenueId }
  /** What a connected venue has was compared with what we have. */
  | {
      readonly type: 'VenueReconciled'
      readonly venue: VenueId
      readonly orders: number
      readonly positions: number
      /** A sentence for each difference, with what was done. */
      readonly differences: readonly string[]
    }

/** Events of strategies. Settings are JSON text with every default filled in. */
export type StrategyEvent =
  | {
      readonly type: 'StrategyAdded'
      readonly strategy: StrategyId
      readonly name: string
      readonly strategyType: string
      readonly description: string
      readonly config: string
      readonly key?: IdempotencyKey
    }
  | { readonly type: 'StrategyStarted'; readonly strategy: StrategyId; readonly before: StrategyStatus }
  | {
      readonly type: 'StrategyStopped'
      readonly strategy: StrategyId
      readonly why: string | null
      readonly before: StrategyStatus
    }
  | { readonly type: 'StrategyFailed'; readonly strategy: StrategyId; readonly reason: string }
  | {
      readonly type: 'StrategyReconfigured'
      readonly strategy: StrategyId
      readonly config: string
      readonly before: string
    }
  | {
      readonly type: 'StrategyRenamed'
      readonly strategy: StrategyId
      readonly name: string
      readonly before: string
    }
  /** The limits are decimals as text; null for none. */
  | {
      readonly type: 'StrategyLossLimited'
      readonly strategy: StrategyId
      readonly limit: string | null
      readonly before: string | null
    }
  | { readonly type: 'StrategyRemoved'; readonly strategy: StrategyId; readonly name: string }

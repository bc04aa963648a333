import type { TimerFired, VenueReport } from '#model/input.ts'
import type { Liquidity, VenueId } from '#model/instrument.ts'
import type { OrderTerms } from '#model/order.ts'
import type { CancelCause } from '#model/reasons.ts'
import type { MarketTick } from '#model/tick.ts'
import type { Approved, VenueChange, VenueOrder } from '#risk/gate.ts'
import type { InstrumentId, OrderId, StrategyId } from '#values/ids.ts'
import type { Instant } from '#values/instant.ts'
import type { Money } from '#values/money.ts'
import type { Price } from '#values/price.ts'
import type { NetQuantity, Quantity } from '#values/quantity.ts'

/** A request to a venue; sent once its cause is in the journal. */
export type VenueRequest =
  | { readonly type: 'submit'; readonly order: Approved<VenueOrder> }
  | { readonly type: 'change'; readonly change: Approved<VenueChange> }
  | {
      readonly type: 'cancel'
      readonly orderId: OrderId
      readonly instrument: InstrumentId
      readonly cause: CancelCause
    }
  | { readonly type: 'connect' | 'disconnect'; readonly venue: VenueId }
  /** A position at a restart, for a simulated venue that restarts with the desk; a real one knows it. */
  | {
      readonly type: 'restore-position'
      readonly strategy: StrategyId
      readonly instrument: InstrumentId
      readonly lots: NetQuantity
    }

/** A fill that a venue expects of an order which it has not received. */
export interface ExpectedFill {
  readonly quantity: Quantity
  readonly price: Price
  readonly liquidity: Liquidity
  readonly fee: Money
}

/** Receives reports that arrived together. */
export type DeliverReports = (reports: readonly VenueReport[], at: Instant) => void

/**
 * Executes orders. It accepts only approved orders and answers only by reports, never by return values. It never fills
 * a reduce-only order or a spot sell beyond the position, and cancels one for which nothing is left.
 */
export interface Venue {
  /** Sends a request. A known order id or change number is ignored. */
  send(message: VenueRequest, at: Instant): void
  /** Sets the receiver of reports; the last one set counts. */
  onReports(deliver: DeliverReports): void
  /** Passes market and time to a simulated venue; a real one ignores them. */
  observe(input: MarketTick | TimerFired): void
  /** Returns what an order with these terms would fill at once; null if the venue cannot say. It changes nothing. */
  estimate(terms: OrderTerms): readonly ExpectedFill[] | null
}

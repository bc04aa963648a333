import type { TimerFired, VenueReport } from '#input.ts'
import type { VenueId } from '#market/instrument.ts'
import type { MarketTick } from '#market/tick.ts'
import type { CancelCause } from '#orders/reasons.ts'
import type { Approved, VenueChange, VenueOrder } from '#risk/gate.ts'
import type { InstrumentId, OrderId, StrategyId } from '#values/ids.ts'
import type { Instant } from '#values/instant.ts'
import type { NetQuantity } from '#values/quantity.ts'

/** What leaves for a venue, once the journal holds what caused it. */
export type Outgoing =
  | { readonly type: 'submit'; readonly order: Approved<VenueOrder> }
  | { readonly type: 'change'; readonly change: Approved<VenueChange> }
  | {
      readonly type: 'cancel'
      readonly orderId: OrderId
      readonly instrument: InstrumentId
      readonly cause: CancelCause
    }
  | { readonly type: 'connect' | 'disconnect'; readonly venue: VenueId }
  /** What is held at a restart, for a simulated venue that begins anew with the desk; a real one knows. */
  | {
      readonly type: 'hold'
      readonly strategy: StrategyId
      readonly instrument: InstrumentId
      readonly lots: NetQuantity
    }

/** Takes what venues say at one time. */
export type DeliverReports = (reports: readonly VenueReport[], at: Instant) => void

/**
 * Where orders are filled. It takes only approved orders and answers only by reports, never by return values. It never
 * fills a reduce-only order beyond what is left of the position that it reduces, and takes back what cannot reduce.
 */
export interface Venue {
  /** Takes a message; an order whose id it already has is not taken twice, nor a change whose number it has heard. */
  send(message: Outgoing, at: Instant): void
  /** Says where reports go, those that come at one time together; the last one given counts. */
  onReports(deliver: DeliverReports): void
  /** Shows a simulated venue the market and the time; a real one has its own. */
  observe(input: MarketTick | TimerFired): void
}

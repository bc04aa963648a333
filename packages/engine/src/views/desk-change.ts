import type { Event, EventType } from '#model/event.ts'
import type { JournalEntry } from '#model/journal-entry.ts'
import { assert } from '#values/bug.ts'
import type { OrderId } from '#values/ids.ts'
import type { FillRecord } from './order-history.ts'
import type { OrderView } from './order-view.ts'
import type { EngineViews } from './views.ts'

/** A view other than that of orders that a change can affect. */
export type ViewName = 'engine' | 'strategies' | 'positions' | 'account' | 'risk' | 'trading-state'

/** One change of an engine's views. */
export type DeskChange =
  | ViewsChange
  /** New prices: only figures computed from them changed. */
  | { readonly kind: 'marks'; readonly revision: number }
  /** Anything may have changed, as after a restart of the engine: all views must be read again. */
  | { readonly kind: 'reset'; readonly revision: number }

/** A change of orders and other views. Listeners read its orders and fills while it is published, not later. */
export interface ViewsChange {
  readonly kind: 'views'
  readonly revision: number
  readonly orderCount: number
  readonly fillCount: number
  /** Whether an order was denied or rejected. */
  readonly hasRefusals: boolean
  /** Every order it changed, as it is now. */
  readonly orders: readonly OrderView[]
  readonly fills: readonly FillRecord[]
  /** What else changed. */
  readonly views: ReadonlySet<ViewName>
}

/** Returns the change that an entry made, once the views have applied it and before they apply the next. */
export function changeOf(entry: JournalEntry, views: EngineViews): ViewsChange {
  return new EntryChange(entry, views)
}

/** Computes the views of orders and fills when they are first read: most listeners only count them. */
class EntryChange implements ViewsChange {
  readonly kind = 'views'
  readonly revision: number
  readonly orderCount: number
  readonly fillCount: number
  readonly hasRefusals: boolean
  readonly views: ReadonlySet<ViewName>
  readonly #entry: JournalEntry
  readonly #views: EngineViews
  #orders: readonly OrderView[] | undefined
  #fills: readonly FillRecord[] | undefined

  constructor(entry: JournalEntry, views: EngineViews) {
    const { seq, events } = entry
    this.revision = seq
    this.#entry = entry
    this.#views = views
    this.views = viewsChangedBy(events)
    let [orders, fills, refusals] = [0, 0, 0]
    for (const event of events) {
      if (isOrderChange(event)) orders += 1
      if (event.type === 'OrderFilled') fills += 1
      if (event.type === 'OrderDenied' || event.type === 'OrderRejected') refusals += 1
    }
    this.orderCount = orders > 1 ? orderIdsOf(entry).size : orders
    this.fillCount = fills
    this.hasRefusals = refusals > 0
  }

  get orders(): readonly OrderView[] {
    this.#orders ??= [...orderIdsOf(this.#entry)].flatMap((id) => this.#current.order(id) ?? [])
    return this.#orders
  }

  get fills(): readonly FillRecord[] {
    this.#fills ??= this.#entry.events.flatMap((event) =>
      event.type === 'OrderFilled' ? (this.#current.viewFill(event, this.#entry) ?? []) : [],
    )
    return this.#fills
  }

  /** Later the views would show the effects of another entry as those of this one. */
  get #current(): EngineViews {
    assert(this.#views.seq === this.revision, 'a change is read after the next entry', this.revision)
    return this.#views
  }
}

function viewsChangedBy(events: readonly Event[]): ReadonlySet<ViewName> {
  const [first] = events
  // Most entries have events of one type: an order, or the fills that venues reported together.
  if (first !== undefined && events.every(({ type }) => type === first.type)) return VIEWS_OF[first.type]
  return new Set(events.flatMap(({ type }) => [...VIEWS_OF[type]]))
}

function orderIdsOf({ events }: JournalEntry): Set<OrderId> {
  return new Set(events.filter(isOrderChange).map(({ orderId }) => orderId))
}

function isOrderChange(event: Event): event is Extract<Event, { orderId: unknown }> {
  return 'orderId' in event && event.type !== 'ReportDisregarded'
}

/** Working orders count in margin and in the figures of their strategy. */
const WORKING_ORDER = viewsOf('strategies', 'account', 'risk')
const STRATEGY = viewsOf('strategies', 'engine')
const FIGURES = viewsOf('account', 'risk')
const NONE = viewsOf()

const VIEWS_OF: Readonly<Record<EventType, ReadonlySet<ViewName>>> = {
  OrderDenied: NONE,
  OrderSubmitted: WORKING_ORDER,
  OrderAccepted: NONE,
  OrderTriggered: NONE,
  OrderFilled: viewsOf(...WORKING_ORDER, 'positions'),
  OrderChangeRequested: WORKING_ORDER,
  OrderChanged: WORKING_ORDER,
  OrderChangeRejected: WORKING_ORDER,
  OrderCancelRequested: NONE,
  OrderCancelled: WORKING_ORDER,
  OrderRejected: WORKING_ORDER,
  ReportDisregarded: NONE,
  DeskOpened: viewsOf('engine', 'strategies', 'positions', 'account', 'risk', 'trading-state'),
  PaperAccountOpened: NONE,
  FundingPaid: viewsOf('positions', 'strategies', ...FIGURES),
  PositionExitsChanged: viewsOf('positions'),
  DayStarted: FIGURES,
  HighWaterRaised: FIGURES,
  DrawdownDeepened: FIGURES,
  LimitsChanged: viewsOf('risk'),
  LimitBreached: viewsOf('risk'),
  TradingStateChanged: viewsOf('risk', 'trading-state'),
  EmergencyStarted: viewsOf('trading-state'),
  EmergencyEnded: viewsOf('trading-state'),
  ComponentChanged: viewsOf('engine', 'risk'),
  ComponentConfigured: viewsOf('engine'),
  FeatureSwitched: viewsOf('engine', 'strategies', ...FIGURES),
  ServiceSwitched: viewsOf('engine', 'risk'),
  VenueSwitched: viewsOf('engine'),
  VenueConnected: viewsOf('engine'),
  VenueDisconnected: viewsOf('engine'),
  VenueReconciled: viewsOf('engine'),
  StrategyAdded: STRATEGY,
  StrategyStarted: STRATEGY,
  StrategyStopped: STRATEGY,
  StrategyFailed: STRATEGY,
  StrategyReconfigured: STRATEGY,
  StrategyRenamed: viewsOf(...STRATEGY, 'positions'),
  StrategyLossLimited: STRATEGY,
  StrategyRemoved: STRATEGY,
}

function viewsOf(...names: ViewName[]): ReadonlySet<ViewName> {
  return new Set(names)
}

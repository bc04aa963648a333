import type { Event, EventType } from '#model/event.ts'
import type { JournalEntry } from '#model/journal-entry.ts'
import { assert } from '#values/bug.ts'
import type { OrderId } from '#values/ids.ts'
import type { OrderView } from './order-view.ts'
import type { FillRecord } from './past-orders.ts'
import type { Views } from './views.ts'

/** Rows other than orders that a change can affect. */
export type ChangedRows = 'engine' | 'strategies' | 'positions' | 'account' | 'risk' | 'trading-state'

/** One change of an engine's rows. */
export type DeskChange =
  | RowsChange
  /** New prices: only figures computed from them changed. */
  | { readonly kind: 'marks'; readonly revision: number }
  /** Anything may have changed, as after a restart of the engine: all rows must be read again. */
  | { readonly kind: 'reset'; readonly revision: number }

/** A change of orders and other rows. Followers read its orders and fills while it is published, not later. */
export interface RowsChange {
  readonly kind: 'rows'
  readonly revision: number
  readonly orderCount: number
  readonly fillCount: number
  /** Whether an order was denied or rejected. */
  readonly hasRefusals: boolean
  /** Every order it changed, as it is now. */
  readonly orders: readonly OrderView[]
  readonly fills: readonly FillRecord[]
  /** What else changed. */
  readonly rows: ReadonlySet<ChangedRows>
}

/** Returns the change that an entry made, once the views have applied it and before they apply the next. */
export function changeOf(entry: JournalEntry, views: Views): RowsChange {
  return new EntryChange(entry, views)
}

/** Computes the rows of orders and fills when they are first read: most followers only count them. */
class EntryChange implements RowsChange {
  readonly kind = 'rows'
  readonly revision: number
  readonly orderCount: number
  readonly fillCount: number
  readonly hasRefusals: boolean
  readonly rows: ReadonlySet<ChangedRows>
  readonly #entry: JournalEntry
  readonly #views: Views
  #orders: readonly OrderView[] | undefined
  #fills: readonly FillRecord[] | undefined

  constructor(entry: JournalEntry, views: Views) {
    const { seq, events } = entry
    this.revision = seq
    this.#entry = entry
    this.#views = views
    this.rows = rowsOfAll(events)
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

  /** Later the views would show the rows of another entry as those of this one. */
  get #current(): Views {
    assert(this.#views.seq === this.revision, 'a change is read after the next entry', this.revision)
    return this.#views
  }
}

function rowsOfAll(events: readonly Event[]): ReadonlySet<ChangedRows> {
  const [first] = events
  // Most entries have events of one type: an order, or the fills that venues reported together.
  if (first !== undefined && events.every(({ type }) => type === first.type)) return ROWS_OF[first.type]
  return new Set(events.flatMap(({ type }) => [...ROWS_OF[type]]))
}

function orderIdsOf({ events }: JournalEntry): Set<OrderId> {
  return new Set(events.filter(isOrderChange).map(({ orderId }) => orderId))
}

function isOrderChange(event: Event): event is Extract<Event, { orderId: unknown }> {
  return 'orderId' in event && event.type !== 'ReportDisregarded'
}

/** Working orders count in margin and in the figures of their strategy. */
const WORKING_ORDER = rowsOf('strategies', 'account', 'risk')
const STRATEGY = rowsOf('strategies', 'engine')
const FIGURES = rowsOf('account', 'risk')
const NONE = rowsOf()

const ROWS_OF: Readonly<Record<EventType, ReadonlySet<ChangedRows>>> = {
  OrderDenied: NONE,
  OrderSubmitted: WORKING_ORDER,
  OrderAccepted: NONE,
  OrderTriggered: NONE,
  OrderFilled: rowsOf(...WORKING_ORDER, 'positions'),
  OrderChangeRequested: WORKING_ORDER,
  OrderChanged: WORKING_ORDER,
  OrderChangeRejected: WORKING_ORDER,
  OrderCancelRequested: NONE,
  OrderCancelled: WORKING_ORDER,
  OrderRejected: WORKING_ORDER,
  ReportDisregarded: NONE,
  DeskOpened: rowsOf('engine', 'strategies', 'positions', 'account', 'risk', 'trading-state'),
  PaperAccountOpened: NONE,
  FundingPaid: rowsOf('positions', 'strategies', ...FIGURES),
  PositionExitsChanged: rowsOf('positions'),
  DayStarted: FIGURES,
  HighWaterRaised: FIGURES,
  DrawdownDeepened: FIGURES,
  LimitsChanged: rowsOf('risk'),
  LimitBreached: rowsOf('risk'),
  TradingStateChanged: rowsOf('risk', 'trading-state'),
  EmergencyStarted: rowsOf('trading-state'),
  EmergencyEnded: rowsOf('trading-state'),
  ComponentChanged: rowsOf('engine', 'risk'),
  ComponentConfigured: rowsOf('engine'),
  FeatureSwitched: rowsOf('engine', 'strategies', ...FIGURES),
  ServiceSwitched: rowsOf('engine', 'risk'),
  VenueSwitched: rowsOf('engine'),
  VenueConnected: rowsOf('engine'),
  VenueDisconnected: rowsOf('engine'),
  VenueReconciled: rowsOf('engine'),
  StrategyAdded: STRATEGY,
  StrategyStarted: STRATEGY,
  StrategyStopped: STRATEGY,
  StrategyFailed: STRATEGY,
  StrategyReconfigured: STRATEGY,
  StrategyRenamed: rowsOf(...STRATEGY, 'positions'),
  StrategyLossLimited: STRATEGY,
  StrategyRemoved: STRATEGY,
}

function rowsOf(...names: ChangedRows[]): ReadonlySet<ChangedRows> {
  return new Set(names)
}

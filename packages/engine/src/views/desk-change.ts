import type { Event, EventType } from '#model/event.ts'
import type { JournalEntry } from '#model/journal-entry.ts'
import type { OrderView } from './order-view.ts'
import type { FillRecord } from './past-orders.ts'
import type { Views } from './views.ts'

/** Rows other than orders that a change can affect. */
export type ChangedRows = 'engine' | 'strategies' | 'positions' | 'account' | 'risk' | 'trading-state'

/** One change of an engine's rows. */
export type DeskChange =
  | {
      readonly kind: 'rows'
      readonly revision: number
      /** Every order it changed, as it is now. */
      readonly orders: readonly OrderView[]
      readonly fills: readonly FillRecord[]
      /** What else changed. */
      readonly rows: ReadonlySet<ChangedRows>
    }
  /** New prices: only figures computed from them changed. */
  | { readonly kind: 'marks'; readonly revision: number }
  /** Anything may have changed, as after a restart of the engine: all rows must be read again. */
  | { readonly kind: 'reset'; readonly revision: number }

/** Returns the change that an entry made, once the views have applied it and before they apply the next. */
export function changeOf(entry: JournalEntry, views: Views): DeskChange {
  const orders = new Map<string, OrderView>()
  const fills: FillRecord[] = []
  const rows = new Set<ChangedRows>()
  for (const event of entry.events) {
    for (const name of ROWS_OF[event.type]) rows.add(name)
    const order = isOrderChange(event) ? views.order(event.orderId) : null
    if (order !== null) orders.set(order.id, order)
    const fill = event.type === 'OrderFilled' ? views.viewFill(event, entry) : null
    if (fill !== null) fills.push(fill)
  }
  return { kind: 'rows', revision: entry.seq, orders: [...orders.values()], fills, rows }
}

function isOrderChange(event: Event): event is Extract<Event, { orderId: unknown }> {
  return 'orderId' in event && event.type !== 'ReportDisregarded'
}

/** Working orders count in margin and in the figures of their strategy. */
const WORKING_ORDER: readonly ChangedRows[] = ['strategies', 'account', 'risk']
const STRATEGY: readonly ChangedRows[] = ['strategies', 'engine']
const FIGURES: readonly ChangedRows[] = ['account', 'risk']

const ROWS_OF: Readonly<Record<EventType, readonly ChangedRows[]>> = {
  OrderDenied: [],
  OrderSubmitted: WORKING_ORDER,
  OrderAccepted: [],
  OrderTriggered: [],
  OrderFilled: [...WORKING_ORDER, 'positions'],
  OrderChangeRequested: WORKING_ORDER,
  OrderChanged: WORKING_ORDER,
  OrderChangeRejected: WORKING_ORDER,
  OrderCancelRequested: [],
  OrderCancelled: WORKING_ORDER,
  OrderRejected: WORKING_ORDER,
  ReportDisregarded: [],
  DeskOpened: ['engine', 'strategies', 'positions', 'account', 'risk', 'trading-state'],
  PaperAccountOpened: [],
  FundingPaid: ['positions', 'strategies', ...FIGURES],
  PositionExitsChanged: ['positions'],
  DayStarted: FIGURES,
  HighWaterRaised: FIGURES,
  DrawdownDeepened: FIGURES,
  LimitsChanged: ['risk'],
  LimitBreached: ['risk'],
  TradingStateChanged: ['risk', 'trading-state'],
  EmergencyStarted: ['trading-state'],
  EmergencyEnded: ['trading-state'],
  ComponentChanged: ['engine', 'risk'],
  ComponentConfigured: ['engine'],
  FeatureSwitched: ['engine', 'strategies', ...FIGURES],
  ServiceSwitched: ['engine', 'risk'],
  VenueSwitched: ['engine'],
  VenueConnected: ['engine'],
  VenueDisconnected: ['engine'],
  VenueReconciled: ['engine'],
  StrategyAdded: STRATEGY,
  StrategyStarted: STRATEGY,
  StrategyStopped: STRATEGY,
  StrategyFailed: STRATEGY,
  StrategyReconfigured: STRATEGY,
  StrategyRenamed: [...STRATEGY, 'positions'],
  StrategyLossLimited: STRATEGY,
  StrategyRemoved: STRATEGY,
}

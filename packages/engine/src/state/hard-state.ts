import type { Event, OrderEvent, OrderFilled } from '#model/event.ts'
import type { VenueId } from '#model/instrument.ts'
import type { JournalEntry, Moment } from '#model/journal-entry.ts'
import { assert } from '#values/bug.ts'
import { type InstrumentId, NO_SEQ, type Seq, seqFrom } from '#values/ids.ts'
import type { Instant } from '#values/instant.ts'
import { type Account, applyToAccount, createAccount } from './account.ts'
import { applyToComponents, type Components, createComponents } from './components.ts'
import { applyToFeatures, createFeatures, createServices, type Features, type Services } from './features.ts'
import { applyToLedger, type IdleLedger } from './ledger.ts'
import { applyToOrders, createOrderRegister, type OrderRegister } from './order-register.ts'
import {
  applyExits,
  applyFill,
  applyFunding,
  createPositionRegister,
  type PositionRegister,
} from './position-register.ts'
import { applyToRisk, createRiskRegister, type RiskRegister } from './risk-register.ts'
import { applyToStrategies, createStrategyRegister, type StrategyRegister } from './strategy-register.ts'

/** Everything that events carry. Only `applyEvent` writes to it, live and in replay (0003). */
export interface HardState {
  /** The last folded entry. */
  seq: Seq
  isOpen: boolean
  readonly account: Account
  readonly orders: OrderRegister
  readonly positions: PositionRegister
  readonly risk: RiskRegister
  readonly components: Components
  readonly strategies: StrategyRegister
  readonly features: Features
  readonly services: Services
  /** The account that orders do not trade for now; null until the paper account is opened. */
  idleLedger: IdleLedger | null
  /** Venues that should be connected, and those that are. */
  readonly wanted: Set<VenueId>
  readonly connected: Set<VenueId>
  /** The settlement time of the latest funding that was paid. */
  readonly funded: Map<InstrumentId, Instant>
}

export interface HardStateOptions {
  /** The number of finished orders to keep; 1,000 by default. */
  readonly maxFinishedOrders?: number
  /** The number of closed positions to keep; 200 by default. */
  readonly maxClosedPositions?: number
}

/** Returns the state before the first entry. */
export function createHardState(options: HardStateOptions = {}): HardState {
  return {
    seq: NO_SEQ,
    isOpen: false,
    account: createAccount(),
    orders: createOrderRegister(options.maxFinishedOrders),
    positions: createPositionRegister(options.maxClosedPositions),
    risk: createRiskRegister(),
    components: createComponents(),
    strategies: createStrategyRegister(),
    features: createFeatures(),
    services: createServices(),
    idleLedger: null,
    wanted: new Set(),
    connected: new Set(),
    funded: new Map(),
  }
}

/** Folds one event. A fill updates the order last, because positions and account read it. */
export function applyEvent(state: HardState, event: Event, moment: Moment): void {
  // Read once: a property that is read over the shapes of all events is slow.
  switch (event.type) {
    case 'OrderFilled':
      foldFill(state, event, moment)
      return
    case 'OrderSubmitted':
    case 'OrderDenied':
    case 'OrderAccepted':
    case 'OrderTriggered':
    case 'OrderChangeRequested':
    case 'OrderChanged':
    case 'OrderChangeRejected':
    case 'OrderCancelRequested':
    case 'OrderCancelled':
    case 'OrderRejected':
    case 'ReportDisregarded':
      applyToOrders(state.orders, event, moment)
      return
    default:
      foldOther(state, event, moment)
  }
}

function foldFill(state: HardState, event: OrderFilled, moment: Moment): void {
  const order = state.orders.working.get(event.orderId)
  assert(order !== undefined, 'a fill for an order that is not working', event.orderId)
  applyFill(state.positions, order, event, moment)
  applyToAccount(state.account, event, order.terms.side)
  applyToOrders(state.orders, event, moment)
}

function foldOther(state: HardState, event: Exclude<Event, OrderEvent>, moment: Moment): void {
  if (event.type === 'FundingPaid') foldFunding(state, event)
  if (event.type === 'PositionExitsChanged') applyExits(state.positions, event)
  applyToAccount(state.account, event, null)
  applyToRisk(state.risk, event, moment)
  applyToComponents(state.components, event)
  applyToStrategies(state.strategies, event, moment)
  applyToFeatures(state.features, state.services, event)
  applyToLedger(state, event, moment)
  applyToConnections(state, event)
}

function foldFunding({ positions, funded }: HardState, event: FundingPaid): void {
  applyFunding(positions, event)
  if (event.settledAt !== undefined) funded.set(event.instrument, event.settledAt)
}

type FundingPaid = Extract<Event, { type: 'FundingPaid' }>

/** Folds one entry; it must be the next one. */
export function applyEntry(state: HardState, entry: JournalEntry): void {
  assert(entry.seq === state.seq + 1, 'an entry out of sequence', entry.seq)
  for (const event of entry.events) applyEvent(state, event, entry)
  state.seq = seqFrom(entry.seq)
}

function applyToConnections(state: HardState, event: Event): void {
  switch (event.type) {
    case 'DeskOpened':
      state.isOpen = true
      for (const venue of event.venues) {
        state.wanted.add(venue)
        state.connected.add(venue)
      }
      return
    case 'VenueSwitched':
      if (event.isWanted) state.wanted.add(event.venue)
      else state.wanted.delete(event.venue)
      return
    case 'VenueConnected':
      state.connected.add(event.venue)
      return
    case 'VenueDisconnected':
      state.connected.delete(event.venue)
  }
}

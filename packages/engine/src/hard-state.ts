import { type Account, applyToAccount, createAccount } from '#account/account.ts'
import { applyToComponents, type Components, createComponents } from '#components/component.ts'
import type { Event } from '#event.ts'
import type { JournalEntry, Moment } from '#journal/entry.ts'
import type { VenueId } from '#market/instrument.ts'
import { applyToOrders, createOrderRegister, type OrderRegister } from '#orders/order-register.ts'
import {
  applyFill,
  applyFunding,
  createPositionRegister,
  type PositionRegister,
} from '#positions/position-register.ts'
import { applyToRisk, createRiskRegister, type RiskRegister } from '#risk/risk-register.ts'
import {
  applyToStrategies,
  createStrategyRegister,
  type StrategyRegister,
} from '#strategies/strategy-register.ts'
import { assert } from '#values/bug.ts'
import { NO_SEQ, type Seq, seq } from '#values/ids.ts'

/** Everything that events carry. Only `applyEvent` writes to it, live and in replay alike (0003). */
export interface HardState {
  /** The last entry that was folded in. */
  seq: Seq
  isOpen: boolean
  readonly account: Account
  readonly orders: OrderRegister
  readonly positions: PositionRegister
  readonly risk: RiskRegister
  readonly components: Components
  readonly strategies: StrategyRegister
  /** Venues a person wants connected, and those that are. */
  readonly wanted: Set<VenueId>
  readonly connected: Set<VenueId>
}

export interface HardStateOptions {
  /** How many finished orders are remembered; a thousand when left out. */
  readonly finishedKept?: number
}

/** Returns the state before the first entry. */
export function createHardState({ finishedKept }: HardStateOptions = {}): HardState {
  return {
    seq: NO_SEQ,
    isOpen: false,
    account: createAccount(),
    orders: createOrderRegister(finishedKept),
    positions: createPositionRegister(),
    risk: createRiskRegister(),
    components: createComponents(),
    strategies: createStrategyRegister(),
    wanted: new Set(),
    connected: new Set(),
  }
}

/** Folds one event in; the order of the registers matters where a fill needs its order. */
export function applyEvent(state: HardState, event: Event, moment: Moment): void {
  if (event.type === 'OrderFilled') {
    const order = state.orders.working.get(event.orderId)
    assert(order !== undefined, 'a fill for an order that does not work', event.orderId)
    applyFill(state.positions, order, event, moment)
    applyToAccount(state.account, event, order.terms.side)
    applyToOrders(state.orders, event, moment)
    return
  }
  if ('orderId' in event) {
    applyToOrders(state.orders, event, moment)
    return
  }
  if (event.type === 'FundingPaid') applyFunding(state.positions, event)
  applyToOrders(state.orders, event, moment)
  applyToAccount(state.account, event, null)
  applyToRisk(state.risk, event, moment)
  applyToComponents(state.components, event)
  applyToStrategies(state.strategies, event, moment)
  applyToConnections(state, event)
}

/** Folds one entry in, in its turn. */
export function applyEntry(state: HardState, entry: JournalEntry): void {
  assert(entry.seq === state.seq + 1, 'an entry out of turn', entry.seq)
  for (const event of entry.events) applyEvent(state, event, entry)
  state.seq = seq(entry.seq)
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

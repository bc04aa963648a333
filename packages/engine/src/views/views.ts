import type { Instruments } from '#market/instruments.ts'
import { createMarks, loadMarks } from '#market/marks.ts'
import type { OrderFilled } from '#model/event.ts'
import type { JournalEntry } from '#model/journal-entry.ts'
import { isAvailable } from '#state/components.ts'
import { applyEntry, type HardState } from '#state/hard-state.ts'
import { findOrder } from '#state/order-register.ts'
import { strategyName } from '#state/strategy-register.ts'
import type { Seq } from '#values/ids.ts'
import { viewAccount } from './account-view.ts'
import { viewBook } from './book-view.ts'
import type { DeskViews } from './desk-views.ts'
import { viewEmergency } from './emergency-view.ts'
import { viewEngine } from './engine-view.ts'
import type { LiveFigures, StrategyFigures } from './live-figures.ts'
import { type FillRecord, viewFill } from './order-history.ts'
import { viewOrder, viewOrders } from './order-view.ts'
import { type ClosedPositionView, viewClosedBy, viewPositions } from './position-view.ts'
import { viewQuotes } from './quote-view.ts'
import { type RiskView, viewRisk } from './risk-view.ts'
import { viewRemovedStrategies, viewStrategies, viewStrategy } from './strategy-view.ts'

/** The views of the embedded engine, folded from durable entries only. The revision is the seq of the last entry. */
export interface EngineViews extends DeskViews {
  readonly seq: Seq
  /** The positions that the given entry closed, if it is one of the latest; older ones are in the store. */
  closedBy(seq: Seq): readonly ClosedPositionView[]
  /** A fill of the entry that was applied last. */
  viewFill(event: OrderFilled, entry: JournalEntry): FillRecord | null
}

/** Views that are updated by the desk, or by a mirror on another thread. */
export interface UpdatableViews extends EngineViews {
  /** The fold itself, for snapshots. */
  readonly state: HardState
  apply(entry: JournalEntry): void
  /** Loads marks and derived figures; they are frozen while Portfolio does not run. */
  refresh(figures: LiveFigures): void
  /** Shows that the desk has halted itself, which no entry can record while the journal fails; null clears it. */
  halt(why: string | null): void
}

/** Creates views over a state that they own from now on. */
export function createViews(instruments: Instruments, state: HardState): UpdatableViews {
  const marks = createMarks(instruments.all.length)
  /** The market itself, which Portfolio does not freeze. */
  const quotes = createMarks(instruments.all.length)
  const context = { state, instruments, marks, staleAfterMs: 0 }
  const extremes = { highestEquity: 0, deepestDrawdownPpm: 0 }
  let valueAtRisk: number | null = null
  let haltReason: string | null = null
  let running: readonly StrategyFigures[] = []

  return {
    state,
    get seq() {
      return state.seq
    },
    get revision() {
      return state.seq
    },
    get haltReason() {
      return haltReason
    },
    instruments: () => instruments.all,
    quotes: () => viewQuotes(quotes, instruments),
    book: (instrument) => viewBook({ marks: quotes, instruments, orders: state.orders }, instrument),
    apply: (entry) => applyEntry(state, entry),
    refresh: (figures) => {
      running = figures.strategies
      loadMarks(quotes, figures.marks)
      if (!isAvailable(state.components, 'portfolioFigures')) return
      loadMarks(marks, figures.marks)
      valueAtRisk = figures.valueAtRisk
    },
    halt: (reason) => {
      haltReason = reason
    },
    orders: () => viewOrders(state.orders, instruments),
    order: (id) => {
      const order = findOrder(state.orders, id)
      return order ? viewOrder(order, instruments) : null
    },
    orderOfKey: (key) => state.orders.keys.get(key)?.orderId ?? null,
    positions: () => viewPositions(context),
    closedBy: (seq) => viewClosedBy(state.positions, seq),
    account: () => viewAccount(context),
    risk: () => ({
      ...viewRisk(context, state.services.risk ? valueAtRisk : null, extremes),
      ...(haltReason !== null && halted(haltReason)),
    }),
    emergency: () => viewEmergency(context),
    engine: () => viewEngine(state),
    strategyName: (id) => strategyName(state.strategies, id),
    removedStrategies: () => viewRemovedStrategies(state),
    viewFill: (event, entry) => viewFill(event, entry, state.orders, instruments),
    strategies: () => viewStrategies(context, running),
    strategy: (id) => {
      const record = state.strategies.all.get(id)
      return record ? viewStrategy(context, record, running) : null
    },
  }
}

function halted(message: string): Pick<RiskView, 'tradingState' | 'tradingStateReason'> {
  return { tradingState: 'HALTED', tradingStateReason: { code: 'fault', message } }
}

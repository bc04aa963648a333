import { isUp } from '#components/component.ts'
import { applyEntry, type HardState } from '#hard-state.ts'
import type { JournalEntry } from '#journal/entry.ts'
import type { Instruments } from '#market/instruments.ts'
import { createMarks, loadMarks } from '#market/marks.ts'
import { findOrder } from '#orders/order-register.ts'
import type { SoftFigures, WarmUp } from '#risk/soft-figures.ts'
import type { OrderId, Seq, StrategyId } from '#values/ids.ts'
import { type AccountView, viewAccount } from './account-view.ts'
import { type EngineView, viewEngine } from './engine-view.ts'
import { type OrderView, viewOrder, viewOrders } from './order-view.ts'
import { type PositionView, viewPositions } from './position-view.ts'
import { type RiskView, viewRisk } from './risk-view.ts'
import { type StrategyView, viewStrategies, viewStrategy } from './strategy-view.ts'

/** What is true now, folded from durable entries only; routes read here and nowhere else. */
export interface Views {
  readonly seq: Seq
  orders(): readonly OrderView[]
  order(id: OrderId): OrderView | null
  positions(): readonly PositionView[]
  account(): AccountView
  risk(): RiskView
  engine(): EngineView
  strategies(): readonly StrategyView[]
  strategy(id: StrategyId): StrategyView | null
}

/** Views that are being kept up: by the desk, or by a mirror on another thread. */
export interface LiveViews extends Views {
  /** The fold itself, for snapshots. */
  readonly state: HardState
  apply(entry: JournalEntry): void
  /** Takes over marks and what is made of them; while Portfolio does not run they stand still. */
  refresh(soft: SoftFigures): void
  /** Says that the desk has stopped itself, which no entry can say while the journal fails; null takes it back. */
  halt(why: string | null): void
}

/** Makes views over a state that they own from now on. */
export function createViews(instruments: Instruments, state: HardState): LiveViews {
  const marks = createMarks(instruments.all.length)
  const context = { state, instruments, marks, staleAfterMs: 0 }
  let valueAtRisk: number | null = null
  let haltedBecause: string | null = null
  let warmUps: readonly WarmUp[] = []

  return {
    state,
    get seq() {
      return state.seq
    },
    apply: (entry) => applyEntry(state, entry),
    refresh: (soft) => {
      warmUps = soft.strategies
      if (!isUp(state.components, 'Portfolio')) return
      loadMarks(marks, soft.marks)
      valueAtRisk = soft.valueAtRisk
    },
    halt: (why) => {
      haltedBecause = why
    },
    orders: () => viewOrders(state.orders, instruments),
    order: (id) => {
      const order = findOrder(state.orders, id)
      return order ? viewOrder(order, instruments) : null
    },
    positions: () => viewPositions(context),
    account: () => viewAccount(context),
    risk: () => ({ ...viewRisk(context, valueAtRisk), ...(haltedBecause !== null && halted(haltedBecause)) }),
    engine: () => viewEngine(state),
    strategies: () => viewStrategies(context, warmUps),
    strategy: (id) => {
      const record = state.strategies.all.get(id)
      return record ? viewStrategy(context, record, warmUps) : null
    },
  }
}

function halted(message: string): Pick<RiskView, 'tradingState' | 'tradingStateReason'> {
  return { tradingState: 'HALTED', tradingStateReason: { code: 'fault', message } }
}

import { describeReason, nameDenial } from '#model/describe.ts'
import type { StrategyStatus } from '#model/strategy.ts'
import { markedValue, type RiskContext } from '#risk/exposure.ts'
import type { HardState } from '#state/hard-state.ts'
import type { StrategyResult } from '#state/position-register.ts'
import type { RemovedStrategy, StrategyRecord } from '#state/strategy-register.ts'
import type { StrategyId } from '#values/ids.ts'
import type { Instant } from '#values/instant.ts'
import { minus, moneyToNumber, NO_MONEY, plus, printMoney } from '#values/money.ts'
import type { StrategyFigures } from './live-figures.ts'

/** A strategy as screens show it: settings, status and results. */
export interface StrategyView {
  readonly id: StrategyId
  readonly name: string
  readonly type: string
  readonly description: string
  /** Every setting, as JSON text. */
  readonly config: string
  /** The loss at which it may only reduce; null for none. */
  readonly lossLimit: number | null
  readonly status: StrategyStatus
  readonly reason: string | null
  /** Warm-up progress; null when complete or not running. */
  readonly warmUp: Pick<StrategyFigures, 'received' | 'needed'> | null
  /** Present while it runs and all its orders are denied. */
  readonly denials: DenialsView | null
  /** Realised and unrealised, less fees, with funding. */
  readonly pnl: number
  readonly unrealised: number
  /** Realised less fees, with funding, exactly. */
  readonly exactNet: string
  readonly fills: number
  /** Round trips: positions that were closed, and the share of them that earned more than their fees. */
  readonly trades: number
  readonly winRate: number | null
  readonly openPositions: number
  readonly workingOrders: number
  readonly addedAt: Instant
}

export interface DenialsView {
  readonly count: number
  /** What denies them, such as 'Max Position Size'. */
  readonly name: string
  readonly sentence: string
  readonly nextTryAt: Instant | null
}

/** A deleted strategy with its result, which stays part of the account's. */
export interface RemovedStrategyView extends RemovedStrategy {
  /** Realised less fees, with funding. */
  readonly pnl: number
  readonly fills: number
  readonly trades: number
  readonly winRate: number | null
}

/** Returns the deleted strategies, latest first. */
export function viewRemovedStrategies({ strategies, positions }: HardState): RemovedStrategyView[] {
  return [...strategies.removed.values()].reverse().map((removed) => {
    const { realised, fees, funding, fills, closed, won } = positions.results.get(removed.id) ?? NO_RESULT
    return {
      ...removed,
      pnl: moneyToNumber(plus(minus(realised, fees), funding)),
      fills,
      trades: closed,
      winRate: closed === 0 ? null : won / closed,
    }
  })
}

/** Returns all strategies, oldest first. */
export function viewStrategies(context: RiskContext, running: readonly StrategyFigures[]): StrategyView[] {
  return [...context.state.strategies.all.values()].map((record) => viewStrategy(context, record, running))
}

export function viewStrategy(
  context: RiskContext,
  record: StrategyRecord,
  running: readonly StrategyFigures[],
): StrategyView {
  const figures =
    record.status === 'running' ? running.find(({ strategy }) => strategy === record.id) : undefined
  const { positions, orders } = context.state
  const { realised, fees, funding, fills, closed, won } = positions.results.get(record.id) ?? NO_RESULT
  const held = [...positions.open.values()].filter(({ strategy }) => strategy === record.id)
  const unrealised = held.reduce((sum, position) => {
    const instrument = context.instruments.get(position.instrument)
    return sum + moneyToNumber(minus(markedValue(context, position, instrument), position.cost))
  }, 0)
  const net = plus(minus(realised, fees), funding)
  const { id, name, type, description, config, status, reason, addedAt } = record
  return {
    id,
    name,
    type,
    description,
    config,
    lossLimit: record.lossLimit == null ? null : Number(record.lossLimit),
    status,
    reason,
    addedAt,
    warmUp: viewWarmUp(figures),
    denials: viewDenials(figures),
    pnl: moneyToNumber(net) + unrealised,
    unrealised,
    exactNet: printMoney(net),
    fills,
    trades: closed,
    winRate: closed === 0 ? null : won / closed,
    openPositions: held.length,
    workingOrders: [...orders.working.values()].filter(({ terms }) => terms.strategy === id).length,
  }
}

const NO_RESULT: StrategyResult = {
  realised: NO_MONEY,
  fees: NO_MONEY,
  funding: NO_MONEY,
  fills: 0,
  closed: 0,
  won: 0,
}

function viewWarmUp(figures: StrategyFigures | undefined): StrategyView['warmUp'] {
  if (figures === undefined || figures.received >= figures.needed) return null
  return { received: figures.received, needed: figures.needed }
}

function viewDenials(figures: StrategyFigures | undefined): DenialsView | null {
  if (!figures?.denials) return null
  const { count, reason, nextTryAt } = figures.denials
  return { count, name: nameDenial(reason), sentence: describeReason(reason), nextTryAt }
}

import type { HardState } from '#hard-state.ts'
import type { Instruments } from '#market/instruments.ts'
import type { Marks } from '#market/marks.ts'
import { moneyToNumber } from '#values/money.ts'

/** The desk's equity in doubles, quick enough for every tick; it decides no balance (0004). */
export interface Valuation {
  /** Takes over positions, cash and limits after something happened. */
  refresh(state: HardState): void
  /** Returns cash plus all positions at their marks. */
  equity(): number
  /** Returns what equity would be if this instrument's bid and ask added up to the given ticks. */
  equityAt(index: number, bothSides: number): number
  /** Returns the equity at which the day's loss limit is reached. */
  lossFloor(): number
  /** Says whether a tick of this instrument changes equity. */
  isHeld(index: number): boolean
  /** Says whether the day's loss seems to have reached its limit. */
  isLossReached(): boolean
}

/** Makes a valuation over the instruments' marks. */
export function createValuation(instruments: Instruments, marks: Marks): Valuation {
  const count = instruments.all.length
  const perTickLot = Float64Array.from(instruments.all, ({ tickLotValue }) => Number(tickLotValue) / 1e8)
  const net = new Float64Array(count)
  const cost = new Float64Array(count)
  const held = new Uint8Array(count)
  let indices: number[] = []
  let cash = 0
  let floor = Number.NEGATIVE_INFINITY

  function valueAt(index: number): number {
    return worthOf(index, (marks.bid[index] ?? 0) + (marks.ask[index] ?? 0))
  }

  function worthOf(index: number, bothSides: number): number {
    if (bothSides === 0) return cost[index] ?? 0
    return ((net[index] ?? 0) * (perTickLot[index] ?? 0) * bothSides) / 2
  }

  function equityAt(index: number, bothSides: number): number {
    let sum = cash
    for (const each of indices) sum += each === index ? worthOf(each, bothSides) : valueAt(each)
    return sum
  }

  function equity(): number {
    let sum = cash
    for (const index of indices) sum += valueAt(index)
    return sum
  }

  return {
    equity,
    equityAt,
    lossFloor: () => floor,
    isHeld: (index) => held[index] === 1,
    isLossReached: () => equity() <= floor,
    refresh: (state) => {
      for (const index of indices) net[index] = cost[index] = held[index] = 0
      indices = []
      for (const position of state.positions.open.values()) {
        const index = instruments.indexOf(position.instrument)
        net[index] = (net[index] ?? 0) + position.quantity
        cost[index] = (cost[index] ?? 0) + moneyToNumber(position.cost)
        if (held[index] === 0) indices.push(index)
        held[index] = 1
      }
      cash = moneyToNumber(state.account.cash)
      floor = moneyToNumber(state.risk.equityAtDayStart) - moneyToNumber(state.risk.limits.maxDailyLoss)
    },
  }
}

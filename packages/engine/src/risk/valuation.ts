import type { HardState } from '#hard-state.ts'
import type { Instruments } from '#market/instruments.ts'
import type { Marks } from '#market/marks.ts'
import { assert } from '#values/bug.ts'
import { moneyToNumber } from '#values/money.ts'

/** The desk's equity in doubles, quick enough for every tick; it decides no balance (0004). */
export interface Valuation {
  /** Takes over positions, cash and limits after something happened. */
  refresh(state: HardState): void
  /** Returns cash plus all positions at their marks. */
  equity(): number
  /** Returns what is not in this instrument: with its worth, as `equity` adds it up, that is all there is. */
  besides(index: number): number
  /** Returns what half a tick of bid and ask together is worth in this instrument, twice: net × value of tick and lot. */
  perTick(index: number): number
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
    const bothSides = (marks.bid[index] ?? 0) + (marks.ask[index] ?? 0)
    if (bothSides === 0) return cost[index] ?? 0
    return ((net[index] ?? 0) * (perTickLot[index] ?? 0) * bothSides) / 2
  }

  function equity(): number {
    let sum = cash
    for (const index of indices) sum += valueAt(index)
    return sum
  }

  return {
    equity,
    besides: (index) => {
      assert(
        indices.every((each) => each === index),
        'more is held than one instrument',
      )
      return cash
    },
    perTick: (index) => (net[index] ?? 0) * (perTickLot[index] ?? 0),
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

import type { HardState } from '#hard-state.ts'
import type { Instruments } from '#market/instruments.ts'
import type { Marks } from '#market/marks.ts'
import type { Position } from '#positions/position.ts'
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
  /** The numbers of the instruments held, as many as are counted. */
  const indices = new Int32Array(count)
  let heldCount = 0
  let cash = 0
  let floor = Number.NEGATIVE_INFINITY

  function valueAt(index: number): number {
    const bothSides = (marks.bid[index] ?? 0) + (marks.ask[index] ?? 0)
    if (bothSides === 0) return cost[index] ?? 0
    return ((net[index] ?? 0) * (perTickLot[index] ?? 0) * bothSides) / 2
  }

  function equity(): number {
    let sum = cash
    for (let place = 0; place < heldCount; place++) sum += valueAt(indices[place] ?? 0)
    return sum
  }

  function hold(position: Position): void {
    const index = instruments.indexOf(position.instrument)
    net[index] = (net[index] ?? 0) + position.quantity
    cost[index] = (cost[index] ?? 0) + moneyToNumber(position.cost)
    if (held[index] === 0) indices[heldCount++] = index
    held[index] = 1
  }

  function letGo(): void {
    for (let place = 0; place < heldCount; place++) {
      const index = indices[place] ?? 0
      net[index] = cost[index] = held[index] = 0
    }
    heldCount = 0
  }

  return {
    equity,
    besides: (index) => {
      const isAll = heldCount === 0 || (heldCount === 1 && indices[0] === index)
      assert(isAll, 'more is held than one instrument')
      return cash
    },
    perTick: (index) => (net[index] ?? 0) * (perTickLot[index] ?? 0),
    lossFloor: () => floor,
    isHeld: (index) => held[index] === 1,
    isLossReached: () => equity() <= floor,
    refresh: (state) => {
      letGo()
      state.positions.open.forEach(hold)
      cash = moneyToNumber(state.account.cash)
      floor = moneyToNumber(state.risk.equityAtDayStart) - moneyToNumber(state.risk.limits.maxDailyLoss)
    },
  }
}

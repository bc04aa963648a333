import type { HardState } from '#hard-state.ts'
import type { Instruments } from '#market/instruments.ts'
import type { Marks } from '#market/marks.ts'
import type { Position } from '#positions/position.ts'
import { assert } from '#values/bug.ts'
import { moneyToNumber } from '#values/money.ts'

/** The desk's equity in doubles over the instruments' marks, quick enough for every tick; it decides no balance (0004). */
export class Valuation {
  readonly #instruments: Instruments
  readonly #marks: Marks
  readonly #perTickLot: Float64Array
  readonly #net: Float64Array
  readonly #cost: Float64Array
  readonly #held: Uint8Array
  /** The numbers of the instruments held, as many as are counted. */
  readonly #indices: Int32Array
  #heldCount = 0
  #cash = 0
  #floor = Number.NEGATIVE_INFINITY

  constructor(instruments: Instruments, marks: Marks) {
    const count = instruments.all.length
    this.#instruments = instruments
    this.#marks = marks
    this.#perTickLot = Float64Array.from(instruments.all, ({ tickLotValue }) => moneyToNumber(tickLotValue))
    this.#net = new Float64Array(count)
    this.#cost = new Float64Array(count)
    this.#held = new Uint8Array(count)
    this.#indices = new Int32Array(count)
  }

  /** Takes over positions, cash and limits after something happened. */
  refresh({ positions, account, risk }: HardState): void {
    this.#letGo()
    for (const position of positions.open.values()) this.#hold(position)
    this.#cash = moneyToNumber(account.cash)
    this.#floor = moneyToNumber(risk.equityAtDayStart) - moneyToNumber(risk.limits.maxDailyLoss)
  }

  /** Returns cash plus all positions at their marks. */
  equity(): number {
    let sum = this.#cash
    for (let place = 0; place < this.#heldCount; place++) sum += this.#valueAt(this.#indices[place] ?? 0)
    return sum
  }

  /** Returns what is not in this instrument: with its worth, as `equity` adds it up, that is all there is. */
  besides(index: number): number {
    const isAll = this.#heldCount === 0 || (this.#heldCount === 1 && this.#indices[0] === index)
    assert(isAll, 'more is held than one instrument')
    return this.#cash
  }

  /** Returns what half a tick of bid and ask together is worth in this instrument, twice: net × value of tick and lot. */
  perTick(index: number): number {
    return (this.#net[index] ?? 0) * (this.#perTickLot[index] ?? 0)
  }

  /** Returns the equity at which the day's loss limit is reached. */
  lossFloor(): number {
    return this.#floor
  }

  /** Says whether a tick of this instrument changes equity. */
  isHeld(index: number): boolean {
    return this.#held[index] === 1
  }

  /** Says whether the day's loss seems to have reached its limit. */
  isLossReached(): boolean {
    return this.equity() <= this.#floor
  }

  #valueAt(index: number): number {
    const bothSides = (this.#marks.bid[index] ?? 0) + (this.#marks.ask[index] ?? 0)
    if (bothSides === 0) return this.#cost[index] ?? 0
    return (this.perTick(index) * bothSides) / 2
  }

  #hold(position: Position): void {
    const index = this.#instruments.indexOf(position.instrument)
    this.#net[index] = (this.#net[index] ?? 0) + position.quantity
    this.#cost[index] = (this.#cost[index] ?? 0) + moneyToNumber(position.cost)
    if (this.#held[index] === 0) this.#indices[this.#heldCount++] = index
    this.#held[index] = 1
  }

  #letGo(): void {
    for (let place = 0; place < this.#heldCount; place++) {
      const index = this.#indices[place] ?? 0
      this.#net[index] = this.#cost[index] = this.#held[index] = 0
    }
    this.#heldCount = 0
  }
}

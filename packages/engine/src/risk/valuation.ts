import type { Instruments } from '#market/instruments.ts'
import { bidPlusAsk, type Marks } from '#market/marks.ts'
import type { Position } from '#model/position.ts'
import type { HardState } from '#state/hard-state.ts'
import { assert } from '#values/bug.ts'
import { moneyToNumber } from '#values/money.ts'

/** The desk's equity in doubles at the current marks, fast enough for every tick; it decides no balance (0004). */
export class Valuation {
  readonly #instruments: Instruments
  readonly #marks: Marks
  readonly #perTickLot: Float64Array
  readonly #net: Float64Array
  readonly #cost: Float64Array
  readonly #held: Uint8Array
  readonly #exits: Uint8Array
  /** The indices of the instruments held; the first `#heldCount` are valid. */
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
    this.#exits = new Uint8Array(count)
    this.#indices = new Int32Array(count)
  }

  /** Loads positions, cash and limits after an event. */
  refresh({ positions, account, risk }: HardState): void {
    this.#clear()
    for (const position of positions.open.values()) this.#addPosition(position)
    this.#cash = moneyToNumber(account.cash)
    this.#floor = moneyToNumber(risk.equityAtDayStart) - moneyToNumber(risk.limits.maxDailyLoss)
  }

  /** Returns cash plus all positions at their marks. */
  equity(): number {
    return this.equityAt(this.#marks)
  }

  /** Returns cash plus all positions at these quotes. */
  equityAt(quotes: Pick<Marks, 'bid' | 'ask'>): number {
    let sum = this.#cash
    for (let slot = 0; slot < this.#heldCount; slot++) {
      const index = this.#indices[slot] ?? 0
      sum += this.#valueAt(index, bidPlusAsk(quotes, index))
    }
    return sum
  }

  /** Returns whether every position has a quote; after a start the equity of those without one is not known. */
  isMarked(): boolean {
    for (let slot = 0; slot < this.#heldCount; slot++)
      if (bidPlusAsk(this.#marks, this.#indices[slot] ?? 0) === 0) return false
    return true
  }

  /** Returns equity without this instrument. No other instrument may be held. */
  equityWithout(index: number): number {
    const isAll = this.#heldCount === 0 || (this.#heldCount === 1 && this.#indices[0] === index)
    assert(isAll, 'more is held than one instrument')
    return this.#cash
  }

  /** Returns the value of one tick of the position in this instrument: net quantity × value of tick and lot. */
  perTick(index: number): number {
    return (this.#net[index] ?? 0) * (this.#perTickLot[index] ?? 0)
  }

  /** Returns the equity at which the daily loss limit is reached. */
  lossFloor(): number {
    return this.#floor
  }

  /** Returns whether a tick of this instrument changes equity. */
  isHeld(index: number): boolean {
    return this.#held[index] === 1
  }

  /** Returns whether a position in this instrument has exit prices. */
  hasExits(index: number): boolean {
    return this.#exits[index] === 1
  }

  /** Returns whether the daily loss seems to have reached its limit. */
  isLossReached(): boolean {
    return this.equity() <= this.#floor
  }

  #valueAt(index: number, doubleMid: number): number {
    if (doubleMid === 0) return this.#cost[index] ?? 0
    return (this.perTick(index) * doubleMid) / 2
  }

  #addPosition(position: Position): void {
    const index = this.#instruments.indexOf(position.instrument)
    this.#net[index] = (this.#net[index] ?? 0) + position.quantity
    this.#cost[index] = (this.#cost[index] ?? 0) + moneyToNumber(position.cost)
    if (this.#held[index] === 0) this.#indices[this.#heldCount++] = index
    this.#held[index] = 1
    if (position.exits !== null) this.#exits[index] = 1
  }

  #clear(): void {
    for (let slot = 0; slot < this.#heldCount; slot++) {
      const index = this.#indices[slot] ?? 0
      this.#net[index] = this.#cost[index] = this.#held[index] = this.#exits[index] = 0
    }
    this.#heldCount = 0
  }
}

import type { Marks } from '#market/marks.ts'
import type { OwnOrder, StrategyContext } from '#strategies/strategy.ts'
import type { StrategyId } from '#values/ids.ts'

/**
 * A strategy's context between two entries, while none of its orders works: it notes that the strategy has an intent and
 * drops it. Positions are copied, since reading them from the register at every quote is slow.
 */
export class TrialContext implements StrategyContext {
  readonly strategy: StrategyId
  readonly isLive = true
  now = 0
  hasIntent = false
  readonly #source: StrategyContext
  readonly #marks: Marks
  /** By slot. */
  readonly #indices: Int32Array
  readonly #positions: Float64Array

  constructor(source: StrategyContext, marks: Marks, indices: readonly number[]) {
    this.strategy = source.strategy
    this.#source = source
    this.#marks = marks
    this.#indices = Int32Array.from(indices)
    this.#positions = new Float64Array(indices.length)
  }

  /** Copies the positions; they are constant until an entry. */
  refresh(): void {
    const positions = this.#positions
    for (let slot = 0; slot < positions.length; slot++) positions[slot] = this.#source.position(slot)
  }

  bid(slot: number): number {
    return this.#marks.bid[this.#indices[slot] ?? -1] ?? 0
  }

  ask(slot: number): number {
    return this.#marks.ask[this.#indices[slot] ?? -1] ?? 0
  }

  quotedAt(slot: number): number {
    return this.#marks.at[this.#indices[slot] ?? -1] ?? 0
  }

  position(slot: number): number {
    return this.#positions[slot] ?? 0
  }

  working(): number {
    return 0
  }

  orders(): readonly OwnOrder[] {
    return []
  }

  lotsFor(slot: number, value: number): number {
    return this.#source.lotsFor(slot, value)
  }

  place(): void {
    this.hasIntent = true
  }

  cancel(): void {
    this.hasIntent = true
  }

  target(): void {
    this.hasIntent = true
  }
}

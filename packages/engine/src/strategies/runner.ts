import type { Interval } from '#market/interval.ts'
import type { StrategyId } from '#values/ids.ts'
import type { DeskFor } from './desk-for.ts'
import type { Strategy } from './strategy.ts'

/** A strategy at work, with what the engine keeps beside it. All of it is soft state. */
export interface Runner {
  readonly id: StrategyId
  strategy: Strategy
  desk: DeskFor
  /** What takes its place at the next bar or, when it hears none, at the next quote. */
  next: Strategy | null
  /** How many bars it has heard, those of the past included. */
  heard: number
  isOver: boolean
  /** Before these instants no order of its own that adds, or reduces, is tried again after a denial. */
  addFrom: number
  reduceFrom: number
  coolMs: number
}

export function hearsBars(runner: Runner, interval: Interval): boolean {
  return runner.strategy.interval === interval
}

import type { Brand } from '#values/brand.ts'
import type { InstrumentId, PositionId, StrategyId } from '#values/ids.ts'
import type { Instant } from '#values/instant.ts'
import type { Money } from '#values/money.ts'
import type { NetQuantity } from '#values/quantity.ts'

/** One strategy's book in one instrument, where its fills net against one another. */
export type BookKey = Brand<string, 'BookKey'>

/** An open position; flat ones are not kept, and a flip through zero begins a new one. */
export interface Position {
  readonly id: PositionId
  readonly strategy: StrategyId
  readonly instrument: InstrumentId
  /** Long above zero, short below. */
  quantity: NetQuantity
  /** What was paid for what is held now; negative when it was sold short. Average entry is cost ÷ quantity. */
  cost: Money
  /** Earned or lost by what was closed since the position began, before fees and funding. */
  realised: Money
  fees: Money
  funding: Money
  readonly openedAt: Instant
}

/** Returns the key under which a strategy's fills in an instrument net. */
export function bookKey(strategy: StrategyId, instrument: InstrumentId): BookKey {
  // Instrument ids hold no space, so two different pairs never meet.
  return `${instrument} ${strategy}` as BookKey
}

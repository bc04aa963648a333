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
  if (strategy === last.strategy && instrument === last.instrument) return last.key
  // Instrument ids hold no space, so two different pairs never meet.
  const key = `${instrument} ${strategy}` as BookKey
  last = { strategy, instrument, key }
  return key
}

interface Named {
  readonly strategy: StrategyId | null
  readonly instrument: InstrumentId | null
  readonly key: BookKey
}

// One order asks for the same key a dozen times, and making a text to look it up costs more than the looking.
let last: Named = { strategy: null, instrument: null, key: '' as BookKey }

import type { Brand } from '#values/brand.ts'
import type { InstrumentId, PositionId, Seq, StrategyId } from '#values/ids.ts'
import type { Instant } from '#values/instant.ts'
import type { Money } from '#values/money.ts'
import type { Price } from '#values/price.ts'
import type { NetQuantity } from '#values/quantity.ts'

/** A strategy and an instrument, whose fills net in one position. */
export type PositionKey = Brand<string, 'PositionKey'>

/** Prices at which the engine closes a position by itself. Whichever is reached first ends both. */
export interface ExitPrices {
  readonly stopLoss: Price | null
  readonly takeProfit: Price | null
}

export type ExitKind = 'stop-loss' | 'take-profit'

/** An open position. Flat ones are removed, and a flip through zero begins a new one. */
export interface Position {
  readonly id: PositionId
  readonly strategy: StrategyId
  readonly instrument: InstrumentId
  /** Long above zero, short below. */
  quantity: NetQuantity
  /** The cost of the current quantity; negative when sold short. Average entry is cost ÷ quantity. */
  cost: Money
  /** Realised P&L since the position was opened, before fees and funding. */
  realised: Money
  fees: Money
  funding: Money
  /** Null without any. A flip through zero begins without them. */
  exits: ExitPrices | null
  readonly openedAt: Instant
}

/** A position that fills brought back to zero, with its result. */
export interface ClosedPosition {
  readonly id: PositionId
  readonly strategy: StrategyId
  readonly instrument: InstrumentId
  readonly isLong: boolean
  readonly realised: Money
  readonly fees: Money
  readonly funding: Money
  readonly openedAt: Instant
  readonly closedAt: Instant
  /** The entry that closed it. */
  readonly seq: Seq
}

/** Returns the key of a strategy's position in an instrument. */
export function positionKey(strategy: StrategyId, instrument: InstrumentId): PositionKey {
  if (strategy === last.strategy && instrument === last.instrument) return last.key
  // Instrument ids contain no space, so two different pairs never share a key.
  const key = `${instrument} ${strategy}` as PositionKey
  last = { strategy, instrument, key }
  return key
}

interface CachedKey {
  readonly strategy: StrategyId | null
  readonly instrument: InstrumentId | null
  readonly key: PositionKey
}

// An order needs the same key a dozen times, and building the string costs more than the lookup.
let last: CachedKey = { strategy: null, instrument: null, key: '' as PositionKey }

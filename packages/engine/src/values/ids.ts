import type { Brand } from './brand.ts'
import { assert } from './bug.ts'

export type OrderId = Brand<string, 'OrderId'>
export type PositionId = Brand<string, 'PositionId'>
export type StrategyId = Brand<string, 'StrategyId'>
export type InstrumentId = Brand<string, 'InstrumentId'>
/** Chosen by the client; the same key twice is the same command twice. */
export type IdempotencyKey = Brand<string, 'IdempotencyKey'>
/** The number of a journal entry, from 1 without a gap. */
export type Seq = Brand<number, 'Seq'>

export const NO_SEQ = seqFrom(0)

export function orderId(number: number): OrderId {
  return named(`O-${number}`)
}

export function positionId(number: number): PositionId {
  return named(`P-${number}`)
}

export function strategyId(number: number): StrategyId {
  return named(`S-${number}`)
}

/** The number in an id that `strategyId` made; 0 for any other. */
export function strategyNumber(id: StrategyId): number {
  return Number(/^S-(\d{1,15})$/.exec(id)?.[1] ?? 0)
}

/** Ids from outside are only looked up, so any text is accepted. */
export function idFrom<Id extends OrderId | PositionId | StrategyId | InstrumentId | IdempotencyKey>(
  text: string,
): Id {
  return named(text)
}

export function seqFrom(number: number): Seq {
  assert(Number.isSafeInteger(number) && number >= 0, 'not a sequence number', number)
  // Checked on the line above.
  return number as Seq
}

/** The strategy of manual orders. */
export const MANUAL = named<StrategyId>('MANUAL')

function named<Id extends Brand<string, string>>(text: string): Id {
  // The only place where bare text becomes an id.
  return text as Id
}

import type { Instruments } from '#market/instruments.ts'
import { describeReason } from '#model/describe.ts'
import type { Event, StrategyEvent } from '#model/event.ts'
import type { JournalEntry } from '#model/journal-entry.ts'
import type { OrderTerms } from '#model/order.ts'
import type { OrderBasis } from '#model/order-basis.ts'
import type { OrderId, StrategyId } from '#values/ids.ts'
import type { Instant } from '#values/instant.ts'
import { priceToNumber } from '#values/price.ts'
import { quantityToNumber } from '#values/quantity.ts'

/** What a strategy did and what was done with it, newest first. */
export interface StrategyLog {
  readonly lines: readonly StrategyLogLine[]
  /** False when older lines were left out. */
  readonly isComplete: boolean
}

export const LOG_KINDS = ['state', 'order', 'denial'] as const
export type LogKind = (typeof LOG_KINDS)[number]

/** One line, in decimals. */
export interface StrategyLogLine {
  readonly at: Instant
  /** The revision that shows it. */
  readonly revision: number
  /** Who requested it; null for what followed by itself. */
  readonly by: string | null
  readonly kind: LogKind
  readonly event: StrategyEvent['type'] | 'OrderSubmitted' | 'OrderDenied'
  /** Why it was stopped, failed or was denied. */
  readonly sentence?: string
  readonly order?: LoggedOrder
  /** What the order was decided by; absent in older records. */
  readonly basis?: OrderBasis
  /** Values that a person changed, as JSON text of an object. */
  readonly before?: string
  readonly after?: string
}

export interface LoggedOrder extends Pick<OrderTerms, 'instrument' | 'side' | 'type'> {
  readonly id: OrderId
  readonly quantity: number
  readonly price: number | null
}

/** Returns the lines of a strategy in an entry, oldest first. */
export function viewStrategyLog(
  entry: JournalEntry,
  strategy: StrategyId,
  instruments: Instruments,
): StrategyLogLine[] {
  const { at, seq: revision, by } = entry
  return entry.events.flatMap((event) => {
    const detail = detailOf(event, strategy, instruments)
    return detail === undefined ? [] : { at, revision, by, ...detail }
  })
}

type Detail = Omit<StrategyLogLine, 'at' | 'revision' | 'by'>

function detailOf(event: Event, strategy: StrategyId, instruments: Instruments): Detail | undefined {
  switch (event.type) {
    case 'OrderSubmitted':
    case 'OrderDenied': {
      if (event.terms.strategy !== strategy) return undefined
      const isDenied = event.type === 'OrderDenied'
      return {
        kind: isDenied ? 'denial' : 'order',
        event: event.type,
        order: orderOf(event.orderId, event.terms, instruments),
        ...(isDenied && { sentence: describeReason(event.reason) }),
        ...(event.basis && { basis: event.basis }),
      }
    }
    case 'StrategyAdded':
    case 'StrategyStarted':
    case 'StrategyRemoved':
      return stateOf(event, strategy)
    case 'StrategyStopped':
      return stateOf(event, strategy, event.why === null ? {} : { sentence: event.why })
    case 'StrategyFailed':
      return stateOf(event, strategy, { sentence: event.reason })
    case 'StrategyReconfigured':
      return stateOf(event, strategy, { before: event.before, after: event.config })
    case 'StrategyRenamed':
      return stateOf(event, strategy, changeOf({ name: event.before }, { name: event.name }))
    case 'StrategyLossLimited':
      return stateOf(event, strategy, changeOf({ loss_limit: event.before }, { loss_limit: event.limit }))
    default:
      return undefined
  }
}

function stateOf(
  { type, strategy: of }: StrategyEvent,
  strategy: StrategyId,
  detail: Partial<Detail> = {},
): Detail | undefined {
  return of === strategy ? { kind: 'state', event: type, ...detail } : undefined
}

function changeOf(before: object, after: object): Partial<Detail> {
  return { before: JSON.stringify(before), after: JSON.stringify(after) }
}

function orderOf(id: OrderId, terms: OrderTerms, instruments: Instruments): LoggedOrder {
  const { instrument, side, type, quantity, price } = terms
  const { lot, tick } = instruments.get(instrument)
  return {
    id,
    instrument,
    side,
    type,
    quantity: quantityToNumber(quantity, lot),
    price: price === null ? null : priceToNumber(price, tick),
  }
}

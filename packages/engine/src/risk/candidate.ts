import type { Instrument } from '#market/instrument.ts'
import type { Quote } from '#market/marks.ts'
import { largestRemainingOf, type Order, type OrderTerms } from '#orders/order.ts'
import { worstValueOf } from '#orders/working-totals.ts'
import { bookKey } from '#positions/position.ts'
import type { Instant } from '#values/instant.ts'
import { type Money, NO_MONEY } from '#values/money.ts'
import type { Price } from '#values/price.ts'
import type { Quantity } from '#values/quantity.ts'
import type { Addition, RiskContext } from './exposure.ts'

/** An order on the scales: what it would do, before anyone has said yes. */
export interface Candidate {
  readonly context: RiskContext
  readonly terms: OrderTerms
  readonly instrument: Instrument
  readonly quote: Quote | null
  readonly at: Instant
  readonly quantity: Quantity
  readonly price: Price | null
  readonly valuePerLot: Money
  readonly value: Money
  /** The working order whose terms these would be in the place of. */
  readonly replaces: Order | null
}

export interface Effect {
  /** Lots held on the other side, which the order could close. */
  readonly held: number
  /** Lots that other working orders on the order's side already mean to close. */
  readonly working: number
  /** True when all of it closes: nothing is added even if every working order fills. */
  readonly reduces: boolean
}

/** Says how much of an order closes what is held, the working orders on its side counted first. */
export function effectOf(candidate: Candidate & { otherWorkingLots?: number }): Effect {
  const { terms, context, quantity, replaces } = candidate
  const key = bookKey(terms.strategy, terms.instrument)
  const net = context.state.positions.open.get(key)?.quantity ?? 0
  const held = Math.max(0, terms.side === 'BUY' ? -net : net)
  const lots = context.state.orders.totals.get(key)?.lots
  const all = (terms.side === 'BUY' ? lots?.BUY : lots?.SELL) ?? 0
  const working = candidate.otherWorkingLots ?? all - (replaces ? largestRemainingOf(replaces) : 0)
  return { held, working, reduces: held > 0 && working + quantity <= held }
}

/** Returns the candidate as an addition to the desk's picture. */
export function additionOf(candidate: Candidate): Addition {
  const { terms, instrument, value, replaces } = candidate
  return {
    key: bookKey(terms.strategy, terms.instrument),
    instrument,
    side: terms.side,
    value,
    replacedValue: replaces ? worstValueOf(replaces) : NO_MONEY,
  }
}

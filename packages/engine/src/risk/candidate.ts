import type { Quote } from '#market/marks.ts'
import type { Instrument } from '#model/instrument.ts'
import { largestRemainingOf, type Order, type OrderTerms } from '#model/order.ts'
import { positionKey } from '#model/position.ts'
import { worstValueOf } from '#state/working-totals.ts'
import type { Instant } from '#values/instant.ts'
import { type Money, NO_MONEY } from '#values/money.ts'
import type { Price } from '#values/price.ts'
import type { Quantity } from '#values/quantity.ts'
import { type Addition, computeExposure, type ExposureSummary, type RiskContext } from './exposure.ts'

/** An order under check, with the figures the checks need. */
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
  /** The working order whose terms these replace. */
  readonly replaces: Order | null
  /** The desk's exposure with it, once it was computed: the gate and the record of the order need the same. */
  exposure: ExposureSummary | null
}

export interface Reduction {
  /** The position; long above zero. */
  readonly net: number
  /** Lots held on the other side, which the order could close. */
  readonly held: number
  /** Lots that other working orders on the order's side would already close. */
  readonly working: number
  /** True when all of it reduces, even if every working order fills. */
  readonly reduces: boolean
}

/** Returns how much of an order reduces the position, working orders on its side counted first. */
export function reductionOf(candidate: Candidate & { otherWorkingLots?: number }): Reduction {
  const { terms, context, quantity, replaces } = candidate
  const key = positionKey(terms.strategy, terms.instrument)
  const net = context.state.positions.open.get(key)?.quantity ?? 0
  const held = Math.max(0, terms.side === 'BUY' ? -net : net)
  const total = context.state.orders.totals.get(key)
  const all = (terms.side === 'BUY' ? total?.buyLots : total?.sellLots) ?? 0
  const working = candidate.otherWorkingLots ?? all - (replaces ? largestRemainingOf(replaces) : 0)
  return { net, held, working, reduces: held > 0 && working + quantity <= held }
}

/** Returns the desk's exposure with the candidate working. */
export function exposureWith(candidate: Candidate): ExposureSummary {
  candidate.exposure ??= computeExposure(candidate.context, additionOf(candidate))
  return candidate.exposure
}

/** Returns the candidate as an addition to the desk's exposure. */
function additionOf(candidate: Candidate): Addition {
  const { terms, instrument, value, replaces } = candidate
  return {
    key: positionKey(terms.strategy, terms.instrument),
    instrument,
    side: terms.side,
    value,
    replacedValue: replaces ? worstValueOf(replaces) : NO_MONEY,
  }
}

import { quoteAt } from '#market/marks.ts'
import { describeReason } from '#model/describe.ts'
import type { PlaceOrder } from '#model/input.ts'
import { feeOn, type Instrument, notionalOf } from '#model/instrument.ts'
import type { OrderTerms } from '#model/order.ts'
import { type Position, positionKey } from '#model/position.ts'
import type { Denial, MalformedInput } from '#model/reasons.ts'
import { computeExposure, type ExposureSummary, type RiskContext } from '#risk/exposure.ts'
import { type Assessment, assessOrder } from '#risk/gate.ts'
import { realisedBy, signedLots, signedNotional } from '#state/pnl.ts'
import { createWorkingTotal, type WorkingTotal } from '#state/working-totals.ts'
import { idFrom, type PositionId, type StrategyId } from '#values/ids.ts'
import { type Instant, instantFromMs } from '#values/instant.ts'
import { type Money, minus, moneyToNumber, NO_MONEY, plus, times } from '#values/money.ts'
import { priceToNumber } from '#values/price.ts'
import { netQuantityFromLots, type Quantity, quantityFromLots, quantityToNumber } from '#values/quantity.ts'
import { ok, type Result } from '#values/result.ts'
import { ShortMap } from '#values/short-map.ts'
import type { ExpectedFill, Venue } from '#venue/venue.ts'
import { parseOrder } from './parse-order.ts'

/** A limit, and how much of it is used without and with the order. */
export interface LimitUse {
  readonly before: number
  readonly after: number
  readonly limit: number
}

/** What an order would do now, in decimals: exact while the market does not move. */
export interface OrderPreview {
  /** Why it would be denied; null when it would be sent to its venue. */
  readonly denial: (Denial & { readonly sentence: string }) | null
  /** Whether it would be made reduce-only, as it is above Max Order Size. */
  readonly isMadeReduceOnly: boolean
  readonly quote: { readonly bid: number; readonly ask: number; readonly at: Instant } | null
  /** What would fill at once; null when the venue cannot say. */
  readonly fill: PreviewPart | null
  /** What would then wait at the venue, with its price; the fee is that of its fill there. */
  readonly rest: PreviewPart
  /** What its time in force would cancel. */
  readonly cancelled: number
  /** The position in this instrument, below zero when short; after what would fill at once. */
  readonly position: { readonly before: number; readonly after: number }
  readonly margin: { readonly before: number; readonly after: number; readonly availableAfter: number }
  readonly limits: {
    readonly orderSize: LimitUse
    /** Gross exposure, working orders included. */
    readonly positionSize: LimitUse
    readonly dailyLoss: LimitUse
    readonly positions: LimitUse
    /** Margin, which equity limits. */
    readonly margin: LimitUse
  }
}

export interface PreviewPart {
  readonly quantity: number
  /** The average price; null for nothing. */
  readonly price: number | null
  readonly cost: number
  readonly fee: number
}

/**
 * Previews an order with the gate's own assessment and the venue's expected fills. Orders that its fills would cancel or
 * cut, such as reduce-only ones, still count as working.
 */
export function previewOrder(
  context: RiskContext,
  command: PlaceOrder,
  at: Instant,
  estimate: Venue['estimate'],
): Result<OrderPreview, MalformedInput> {
  const parsed = parseOrder(context.instruments, command)
  if (!parsed.ok) return parsed
  const assessment = assessOrder(context, parsed.value, at)
  const terms = assessment.isMadeReduceOnly ? { ...parsed.value, reduceOnly: true } : parsed.value
  const instrument = context.instruments.get(terms.instrument)
  const fills = estimate(terms)
  const effect = effectOf(instrument, terms, fills ?? [])
  const before = computeExposure(context)
  const after = assessment.denial
    ? assessment.exposureWithOrder
    : exposureAfter(context, terms, effect, assessment)
  return ok({
    denial: assessment.denial && { ...assessment.denial, sentence: describeReason(assessment.denial) },
    isMadeReduceOnly: assessment.isMadeReduceOnly,
    quote: viewQuote(context, instrument),
    fill: fills && viewFills(instrument, effect),
    rest: viewRest(instrument, terms, effect.rest),
    cancelled: quantityToNumber(quantityFromLots(terms.quantity - effect.lots - effect.rest), instrument.lot),
    position: viewPosition(context, terms, assessment.denial ? 0 : effect.lots),
    margin: {
      before: moneyToNumber(before.margin),
      after: moneyToNumber(after.margin),
      availableAfter: Math.max(0, moneyToNumber(minus(after.equity, after.margin))),
    },
    limits: viewLimits(context, assessment.value, before, after),
  })
}

/** What the order does to position, cash and working orders. */
interface Effect {
  readonly fills: readonly ExpectedFill[]
  readonly lots: number
  readonly cost: Money
  readonly fee: Money
  /** Lots that wait at the venue. */
  readonly rest: Quantity
}

function effectOf(instrument: Instrument, terms: OrderTerms, fills: readonly ExpectedFill[]): Effect {
  let [lots, cost, fee] = [0, NO_MONEY, NO_MONEY]
  for (const each of fills) {
    lots += each.quantity
    cost = plus(cost, notionalOf(instrument, each.price, each.quantity))
    fee = plus(fee, each.fee)
  }
  const rest = quantityFromLots(terms.timeInForce === 'GTC' ? terms.quantity - lots : 0)
  return { fills, lots, cost, fee, rest }
}

/** The exposure once the expected fills have happened and the rest waits. */
function exposureAfter(
  context: RiskContext,
  terms: OrderTerms,
  effect: Effect,
  { valuePerLot }: Assessment,
): ExposureSummary {
  const { state } = context
  const key = positionKey(terms.strategy, terms.instrument)
  const open = new ShortMap<typeof key, Position>()
  for (const [each, position] of state.positions.open) open.set(each, position)
  const held = positionAfter(context.instruments.get(terms.instrument), terms, effect, open.get(key))
  if (held && held.quantity !== 0) open.set(key, held)
  else open.delete(key)
  const totals = new ShortMap<typeof key, WorkingTotal>()
  for (const [each, total] of state.orders.totals) totals.set(each, total)
  if (effect.rest > 0) totals.set(key, withRest(totals.get(key), terms, effect.rest, valuePerLot))
  const { cash } = state.account
  const paid = minus(terms.side === 'BUY' ? minus(cash, effect.cost) : plus(cash, effect.cost), effect.fee)
  return computeExposure({
    ...context,
    state: {
      ...state,
      account: { ...state.account, cash: paid },
      positions: { ...state.positions, open },
      orders: { ...state.orders, totals },
    },
  })
}

function positionAfter(
  instrument: Instrument,
  { strategy, side }: OrderTerms,
  { fills }: Effect,
  before: Position | undefined,
): Position | undefined {
  return fills.reduce<Position | undefined>((position, fill) => {
    const traded = {
      side,
      quantity: fill.quantity,
      notional: notionalOf(instrument, fill.price, fill.quantity),
    }
    const paid = plus(signedNotional(traded), realisedBy(position, traded))
    return {
      ...(position ?? emptyPosition(instrument, strategy)),
      quantity: netQuantityFromLots((position?.quantity ?? 0) + signedLots(traded)),
      cost: plus(position?.cost ?? NO_MONEY, paid),
    }
  }, before)
}

function withRest(
  total: WorkingTotal | undefined,
  { instrument, side }: OrderTerms,
  rest: Quantity,
  valuePerLot: Money,
): WorkingTotal {
  const before = total ?? createWorkingTotal(instrument)
  const added = times(valuePerLot, rest)
  const orders = before.orders + 1
  return side === 'BUY'
    ? { ...before, orders, buyLots: before.buyLots + rest, buyValue: plus(before.buyValue, added) }
    : { ...before, orders, sellLots: before.sellLots + rest, sellValue: plus(before.sellValue, added) }
}

function emptyPosition({ id: instrument }: Instrument, strategy: StrategyId): Position {
  return {
    id: idFrom<PositionId>('preview'),
    strategy,
    instrument,
    quantity: netQuantityFromLots(0),
    cost: NO_MONEY,
    realised: NO_MONEY,
    fees: NO_MONEY,
    funding: NO_MONEY,
    exits: null,
    openedAt: instantFromMs(0),
  }
}

function viewQuote({ marks, instruments }: RiskContext, { id, tick }: Instrument): OrderPreview['quote'] {
  const quote = quoteAt(marks, instruments.indexOf(id))
  return quote && { bid: priceToNumber(quote.bid, tick), ask: priceToNumber(quote.ask, tick), at: quote.at }
}

function viewFills({ lot }: Instrument, { lots, cost, fee }: Effect): PreviewPart {
  const filled = quantityToNumber(quantityFromLots(lots), lot)
  return {
    quantity: filled,
    price: lots === 0 ? null : moneyToNumber(cost) / filled,
    cost: moneyToNumber(cost),
    fee: moneyToNumber(fee),
  }
}

/** A limit fills as maker at its price; a stop fills as taker, at its trigger at best. */
function viewRest(instrument: Instrument, { type, price }: OrderTerms, rest: Quantity): PreviewPart {
  if (rest === 0 || price === null) return { quantity: 0, price: null, cost: 0, fee: 0 }
  const cost = notionalOf(instrument, price, rest)
  return {
    quantity: quantityToNumber(rest, instrument.lot),
    price: priceToNumber(price, instrument.tick),
    cost: moneyToNumber(cost),
    fee: moneyToNumber(feeOn(instrument, cost, type === 'LIMIT' ? 'MAKER' : 'TAKER')),
  }
}

function viewPosition({ state, instruments }: RiskContext, terms: OrderTerms, filled: number) {
  const { lot } = instruments.get(terms.instrument)
  const net = state.positions.open.get(positionKey(terms.strategy, terms.instrument))?.quantity ?? 0
  const after = net + signedLots({ side: terms.side, quantity: quantityFromLots(filled) })
  return {
    before: quantityToNumber(netQuantityFromLots(net), lot),
    after: quantityToNumber(netQuantityFromLots(after), lot),
  }
}

function viewLimits(
  { state }: RiskContext,
  value: Money,
  before: ExposureSummary,
  after: ExposureSummary,
): OrderPreview['limits'] {
  const { limits, equityAtDayStart } = state.risk
  const lossOf = ({ equity }: ExposureSummary) => Math.max(0, moneyToNumber(minus(equityAtDayStart, equity)))
  return {
    orderSize: { before: 0, after: moneyToNumber(value), limit: moneyToNumber(limits.maxOrderSize) },
    positionSize: {
      before: moneyToNumber(before.worstExposure),
      after: moneyToNumber(after.worstExposure),
      limit: moneyToNumber(limits.maxPositionSize),
    },
    dailyLoss: {
      before: lossOf(before),
      after: lossOf(after),
      limit: moneyToNumber(limits.maxDailyLoss),
    },
    positions: { before: before.positionCount, after: after.positionCount, limit: limits.maxPositions },
    margin: {
      before: moneyToNumber(before.margin),
      after: moneyToNumber(after.margin),
      limit: moneyToNumber(after.equity),
    },
  }
}

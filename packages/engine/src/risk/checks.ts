import { collarPrice, PRIMARY_VENUE } from '#model/instrument.ts'
import type { CheckFigure } from '#model/order-basis.ts'
import type { Denial } from '#model/reasons.ts'
import { describeStop, isStopReached } from '#model/stop.ts'
import { type Components, findDown, type NeededFor } from '#state/components.ts'
import { MANUAL, type StrategyId } from '#values/ids.ts'
import { type Money, minus, moneyToNumber, NO_MONEY, negative, plus, times } from '#values/money.ts'
import { priceFromTicks, priceToNumber } from '#values/price.ts'
import { netQuantityFromLots, quantityFromLots, quantityToNumber } from '#values/quantity.ts'
import { type Candidate, exposureWith, reductionOf } from './candidate.ts'
import { type ExposureSummary, markedValue, type RiskContext } from './exposure.ts'

/** Checks for every order, closes included. Returns the denial, or null. */
export function checkCommon(candidate: Candidate): Denial | null {
  return (
    checkNotHalted(candidate) ??
    checkExecutionEngine(candidate) ??
    checkVenueConnected(candidate) ??
    checkQuote(candidate) ??
    checkStop(candidate) ??
    checkPriceCollar(candidate)
  )
}

/** Checks for an order that adds exposure. */
export function checkAdding(candidate: Candidate): Denial | null {
  return (
    checkCommon(candidate) ??
    checkSpotHolding(candidate) ??
    checkNotReducing(candidate) ??
    checkFeatures(candidate) ??
    checkComponents(candidate.context.state.components, 'addExposure') ??
    checkOrderSize(candidate) ??
    checkStrategyLoss(candidate) ??
    checkDeskLimits(candidate)
  )
}

/** Checks for a reduce-only order. */
export function checkReduceOnly(candidate: Candidate): Denial | null {
  return checkCommon(candidate) ?? checkReduces(candidate)
}

/** Checks the size of an order that could add. */
export function checkOrderSize({ context, value, replaces, valuePerLot }: Candidate): Denial | null {
  if (!areLimitsChecked(context)) return null
  const limit = context.state.risk.limits.maxOrderSize
  // The filled part of a changed order belongs to the same order.
  const whole = replaces ? plus(value, times(valuePerLot, replaces.filled)) : value
  if (whole <= limit) return null
  return { code: 'limit.order-size', value: moneyToNumber(whole), limit: moneyToNumber(limit) }
}

/** Denies an order of a strategy whose loss has reached its own limit. */
function checkStrategyLoss({ context, terms }: Candidate): Denial | null {
  if (!areLimitsChecked(context)) return null
  const { strategy } = terms
  const limit = context.state.strategies.lossLimits.get(strategy)
  if (limit === undefined) return null
  const loss = strategyLoss(context, strategy)
  if (loss < limit) return null
  return { code: 'limit.strategy-loss', strategy, loss: moneyToNumber(loss), limit: moneyToNumber(limit) }
}

/** What a strategy has lost since it was added, exact at the current marks: realised, unrealised, fees and funding. */
function strategyLoss(context: RiskContext, strategy: StrategyId): Money {
  const { positions } = context.state
  const result = positions.results.get(strategy)
  let earned = result ? plus(minus(result.realised, result.fees), result.funding) : NO_MONEY
  for (const position of positions.open.values()) {
    if (position.strategy !== strategy) continue
    const value = markedValue(context, position, context.instruments.get(position.instrument))
    earned = plus(earned, minus(value, position.cost))
  }
  return negative(earned)
}

/** Denies a reduce-only order that would add, whatever the limits are. */
function checkReduces(candidate: Candidate): Denial | null {
  const { held, working, reduces } = reductionOf(candidate)
  if (reduces) return null
  const inUnits = (lots: number) => quantityToNumber(quantityFromLots(lots), candidate.instrument.lot)
  return {
    code: 'reduce-only.adds',
    quantity: inUnits(candidate.quantity),
    position: inUnits(held),
    working: inUnits(working),
  }
}

/** Denies a spot sell beyond the holding: the working sells and this one together must not exceed it. */
function checkSpotHolding(candidate: Candidate): Denial | null {
  const { terms, instrument } = candidate
  if (instrument.kind !== 'SPOT' || terms.side !== 'SELL') return null
  const { net, working, reduces } = reductionOf(candidate)
  if (reduces) return null
  return {
    code: 'spot.short',
    strategy: terms.strategy,
    base: instrument.base,
    held: quantityToNumber(netQuantityFromLots(net), instrument.lot),
    working: quantityToNumber(quantityFromLots(working), instrument.lot),
  }
}

function checkNotHalted({ context }: Candidate): Denial | null {
  return context.state.risk.tradingState === 'HALTED' ? { code: 'trading.halted' } : null
}

function checkNotReducing({ context }: Candidate): Denial | null {
  return context.state.risk.tradingState === 'REDUCING' ? { code: 'trading.reducing' } : null
}

/** Denies an order that adds while Live Trading is off, or at another venue while Multi-Exchange is. */
function checkFeatures({ context, instrument }: Candidate): Denial | null {
  const { features } = context.state
  // Paper wins when both are on: its orders do not need Live Trading.
  if (!features['live-trading'] && !features['paper-trading']) return { code: 'feature.live-trading-off' }
  const { venue } = instrument
  if (features['multi-exchange'] || venue === PRIMARY_VENUE) return null
  return { code: 'feature.multi-exchange-off', venue, primary: PRIMARY_VENUE }
}

/** Denies a new manual order while the service that accepts them is stopped. Changes and closes are not new orders. */
export function checkManualOrders({ context, terms, replaces }: Candidate): Denial | null {
  if (terms.strategy !== MANUAL || replaces !== null || context.state.services['order-execution']) return null
  return { code: 'service.order-execution-stopped' }
}

function checkExecutionEngine({ context }: Candidate): Denial | null {
  return checkComponents(context.state.components, 'order')
}

function checkComponents(components: Components, needed: NeededFor): Denial | null {
  const component = findDown(components, needed)
  return component && { code: 'component.down', component, status: components[component].status }
}

function checkVenueConnected({ context, instrument }: Candidate): Denial | null {
  const { venue } = instrument
  return context.state.connected.has(venue) ? null : { code: 'venue.disconnected', venue }
}

/** A market order needs market data: a running data engine and a recent quote. */
function checkQuote(candidate: Candidate): Denial | null {
  const { context, terms, instrument, quote, at } = candidate
  if (terms.type !== 'MARKET') return null
  const down = checkComponents(context.state.components, 'marketData')
  if (down) return down
  if (quote === null) return { code: 'market.none', instrument: instrument.id }
  const ageMs = at - quote.at
  const maxAgeMs = context.staleAfterMs
  return ageMs > maxAgeMs ? { code: 'market.stale', instrument: instrument.id, ageMs, maxAgeMs } : null
}

/** Denies a stop that would trigger at once. Without a recent quote the venue decides. */
function checkStop({ context, terms, price, instrument, quote, at, replaces }: Candidate): Denial | null {
  if (terms.type !== 'STOP' || price === null || quote === null) return null
  if (at - quote.at > context.staleAfterMs || price === replaces?.price) return null
  return isStopReached(terms.side, price, quote) ? describeStop(instrument, terms.side, price, quote) : null
}

/**
 * Denies a limit so far past the mark that it is most likely a typing error: it would fill at once at a bad price.
 * Limits that rest away from the market pass. Without a recent quote there is no mark to compare with.
 */
function checkPriceCollar({
  context,
  terms,
  price,
  instrument,
  quote,
  at,
  replaces,
}: Candidate): Denial | null {
  if (terms.type !== 'LIMIT' || price === null || quote === null) return null
  if (at - quote.at > context.staleAfterMs || price === replaces?.price) return null
  const mark = (quote.bid + quote.ask) / 2
  const bound = collarPrice(instrument, terms.side, mark)
  if (terms.side === 'BUY' ? price <= bound : price >= bound) return null
  const inUnits = (ticks: number) =>
    priceToNumber(priceFromTicks(Math.max(1, Math.floor(ticks))), instrument.tick)
  return {
    code: 'price.collar',
    side: terms.side,
    price: inUnits(price),
    mark: inUnits(mark),
    bound: inUnits(terms.side === 'BUY' ? bound : Math.ceil(bound)),
  }
}

/** Returns the numbers of every check that an order that adds passes through, in the order of the checks. */
export function listChecks(candidate: Candidate): CheckFigure[] {
  const { context, quote, at, terms, value } = candidate
  const { limits, equityAtDayStart } = context.state.risk
  const summary = exposureWith(candidate)
  const lossLimit = context.state.strategies.lossLimits.get(terms.strategy)
  const amounts = (check: CheckFigure['check'], amount: Money, limit: Money): CheckFigure => ({
    check,
    value: moneyToNumber(amount),
    limit: moneyToNumber(limit),
  })
  const isQuoteChecked = terms.type === 'MARKET' && quote !== null
  const quoteAge: CheckFigure[] = isQuoteChecked
    ? [{ check: 'quote_age_ms', value: at - quote.at, limit: context.staleAfterMs }]
    : []
  const margin = amounts('margin', summary.margin, summary.equity)
  if (!areLimitsChecked(context)) return [...quoteAge, margin]
  return [
    ...quoteAge,
    amounts('max_order_size', value, limits.maxOrderSize),
    ...(lossLimit === undefined
      ? []
      : [amounts('strategy_loss', strategyLoss(context, terms.strategy), lossLimit)]),
    amounts('max_daily_loss', minus(equityAtDayStart, summary.equity), limits.maxDailyLoss),
    { check: 'max_positions', value: summary.positionCount, limit: limits.maxPositions },
    amounts('max_position_size', summary.worstExposure, limits.maxPositionSize),
    margin,
  ]
}

/** Daily loss, position count, gross exposure and margin come from one summary that includes the order. */
function checkDeskLimits(candidate: Candidate): Denial | null {
  const summary = exposureWith(candidate)
  return (
    (areLimitsChecked(candidate.context) ? checkSummary(candidate, summary) : null) ?? checkMargin(summary)
  )
}

/** Risk Management off: the limits of the desk and of strategies are not checked. Live Trading is then off. */
function areLimitsChecked({ state }: RiskContext): boolean {
  return state.features['risk-management']
}

function checkSummary({ context }: Candidate, summary: ExposureSummary): Denial | null {
  const { limits, equityAtDayStart } = context.state.risk
  const loss = minus(equityAtDayStart, summary.equity)
  if (loss >= limits.maxDailyLoss) {
    return { code: 'limit.daily-loss', loss: moneyToNumber(loss), limit: moneyToNumber(limits.maxDailyLoss) }
  }
  if (summary.positionCount > limits.maxPositions) {
    return { code: 'limit.positions', wouldBe: summary.positionCount, limit: limits.maxPositions }
  }
  if (summary.worstExposure > limits.maxPositionSize) {
    return {
      code: 'limit.position-size',
      exposure: moneyToNumber(summary.exposure),
      wouldBe: moneyToNumber(summary.worstExposure),
      limit: moneyToNumber(limits.maxPositionSize),
    }
  }
  return null
}

function checkMargin({ margin, equity }: ExposureSummary): Denial | null {
  if (margin <= equity) return null
  return { code: 'margin.insufficient', required: moneyToNumber(margin), equity: moneyToNumber(equity) }
}

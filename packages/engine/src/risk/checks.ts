import type { ComponentState } from '#components/component.ts'
import type { ComponentName } from '#components/names.ts'
import type { Denial } from '#orders/reasons.ts'
import { describeStop, isStopReached } from '#orders/stop.ts'
import { minus, moneyToNumber, plus, times } from '#values/money.ts'
import { quantity, quantityToNumber } from '#values/quantity.ts'
import { additionOf, type Candidate, effectOf } from './candidate.ts'
import { pictureOf } from './exposure.ts'

/** Why an order is denied by what every order is asked, closes included; null lets it pass. */
export function deniesAny(candidate: Candidate): Denial | null {
  return (
    notHalted(candidate) ??
    executionRuns(candidate) ??
    venueConnected(candidate) ??
    marketKnown(candidate) ??
    stopWaits(candidate)
  )
}

/** The same of an order that adds exposure. */
export function deniesAdding(candidate: Candidate): Denial | null {
  return (
    deniesAny(candidate) ??
    notReducing(candidate) ??
    riskRuns(candidate) ??
    portfolioRuns(candidate) ??
    deniesSize(candidate) ??
    deskLimits(candidate)
  )
}

/** The same of a reduce-only order. */
export function deniesReduceOnly(candidate: Candidate): Denial | null {
  return deniesAny(candidate) ?? onlyReduces(candidate)
}

/** Why an order is too large for one that could add. */
export function deniesSize({ context, value, replaces, valuePerLot }: Candidate): Denial | null {
  const limit = context.state.risk.limits.maxOrderSize
  // What a changed order has already filled was part of the same order.
  const whole = replaces ? plus(value, times(valuePerLot, replaces.filled)) : value
  if (whole <= limit) return null
  return { code: 'limit.order-size', value: moneyToNumber(whole), limit: moneyToNumber(limit) }
}

/** A reduce-only order that would add is denied, whatever the limits say. */
function onlyReduces(candidate: Candidate): Denial | null {
  const { held, working, reduces } = effectOf(candidate)
  if (reduces) return null
  const inUnits = (lots: number) => quantityToNumber(quantity(lots), candidate.instrument.lot)
  return {
    code: 'reduce-only.adds',
    quantity: inUnits(candidate.quantity),
    position: inUnits(held),
    working: inUnits(working),
  }
}

function notHalted({ context }: Candidate): Denial | null {
  return context.state.risk.tradingState === 'HALTED' ? { code: 'trading.halted' } : null
}

function notReducing({ context }: Candidate): Denial | null {
  return context.state.risk.tradingState === 'REDUCING' ? { code: 'trading.reducing' } : null
}

function executionRuns({ context }: Candidate): Denial | null {
  return unlessRunning('ExecutionEngine', context.state.components.ExecutionEngine)
}

function dataRuns({ context }: Candidate): Denial | null {
  return unlessRunning('DataEngine', context.state.components.DataEngine)
}

function riskRuns({ context }: Candidate): Denial | null {
  return unlessRunning('RiskEngine', context.state.components.RiskEngine)
}

function portfolioRuns({ context }: Candidate): Denial | null {
  return unlessRunning('Portfolio', context.state.components.Portfolio)
}

function unlessRunning(component: ComponentName, { status }: ComponentState): Denial | null {
  return status === 'running' ? null : { code: 'component.down', component, status }
}

function venueConnected({ context, instrument }: Candidate): Denial | null {
  const { venue } = instrument
  return context.state.connected.has(venue) ? null : { code: 'venue.disconnected', venue }
}

/** A market order needs a market: the data engine running and a quote that is not too old. */
function marketKnown(candidate: Candidate): Denial | null {
  const { context, terms, instrument, quote, at } = candidate
  if (terms.type !== 'MARKET') return null
  const down = dataRuns(candidate)
  if (down) return down
  if (quote === null) return { code: 'market.none', instrument: instrument.id }
  const ageMs = at - quote.at
  const maxAgeMs = context.staleAfterMs
  return ageMs > maxAgeMs ? { code: 'market.stale', instrument: instrument.id, ageMs, maxAgeMs } : null
}

/** A stop that would fire at once is a mistake. When the market is not known of late, the venue judges it. */
function stopWaits({ context, terms, price, instrument, quote, at, replaces }: Candidate): Denial | null {
  if (terms.type !== 'STOP' || price === null || quote === null) return null
  if (at - quote.at > context.staleAfterMs || price === replaces?.price) return null
  return isStopReached(terms.side, price, quote) ? describeStop(instrument, terms.side, price, quote) : null
}

/** The day's loss, position count, gross exposure and margin all come from one picture with the order counted in. */
function deskLimits(candidate: Candidate): Denial | null {
  const { limits, equityAtDayStart } = candidate.context.state.risk
  const picture = pictureOf(candidate.context, additionOf(candidate))
  const loss = minus(equityAtDayStart, picture.equity)
  if (loss >= limits.maxDailyLoss) {
    return { code: 'limit.daily-loss', loss: moneyToNumber(loss), limit: moneyToNumber(limits.maxDailyLoss) }
  }
  if (picture.books > limits.maxPositions) {
    return { code: 'limit.positions', wouldBe: picture.books, limit: limits.maxPositions }
  }
  if (picture.worstExposure > limits.maxPositionSize) {
    return {
      code: 'limit.position-size',
      exposure: moneyToNumber(picture.exposure),
      wouldBe: moneyToNumber(picture.worstExposure),
      limit: moneyToNumber(limits.maxPositionSize),
    }
  }
  if (picture.margin > picture.equity) {
    return {
      code: 'margin.insufficient',
      required: moneyToNumber(picture.margin),
      equity: moneyToNumber(picture.equity),
    }
  }
  return null
}

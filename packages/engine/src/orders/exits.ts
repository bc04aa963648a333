import { type Quote, quoteAt } from '#market/marks.ts'
import type { ChangeExits } from '#model/input.ts'
import type { OrderIntent } from '#model/order-basis.ts'
import { type ExitKind, type ExitPrices, type Position, positionKey } from '#model/position.ts'
import type { Denial, Refusal } from '#model/reasons.ts'
import type { RiskContext } from '#risk/exposure.ts'
import { findCloseDenial } from '#risk/gate.ts'
import { findPosition } from '#state/position-register.ts'
import { emit } from '#step/record.ts'
import { type CommandAnswer, type Core, DONE } from '#step/step-core.ts'
import type { DecimalText } from '#values/decimal.ts'
import type { Instant } from '#values/instant.ts'
import { type Price, priceToNumber } from '#values/price.ts'
import { ok, type Result, refuse } from '#values/result.ts'
import { closingTerms, findCloseObstacle, isClosingOrder, submitClose } from './close-position.ts'
import { parseAnyPrice } from './parse-order.ts'

/** A close that left something open, or that a venue rejected, is repeated after this time. */
const RETRY_MS = 1000

/**
 * Sets, changes or removes the exit prices of a position. A new price must be one that the market has not reached; a
 * price that stays is not checked again.
 */
export function changeExits(core: Core, command: ChangeExits): CommandAnswer {
  const { positionId } = command
  const position = findPosition(core.state.positions, positionId)
  if (!position) return refuse({ code: 'position.unknown', position: positionId })
  const before = position.exits
  const stopLoss = newPrice(core, position, 'stop-loss', command.stopLoss)
  if (!stopLoss.ok) return stopLoss
  const takeProfit = newPrice(core, position, 'take-profit', command.takeProfit)
  if (!takeProfit.ok) return takeProfit
  const after = { stopLoss: stopLoss.value, takeProfit: takeProfit.value }
  const isSame = KINDS.every((kind) => priceOf(after, kind) === priceOf(before, kind))
  if (isSame) return DONE
  const exits = after.stopLoss === null && after.takeProfit === null ? null : after
  const { strategy, instrument } = position
  emit(core, { type: 'PositionExitsChanged', positionId, strategy, instrument, exits, before })
  return DONE
}

/** A position whose exit price the market has reached. */
export interface TriggeredExit {
  readonly position: Position
  readonly kind: ExitKind
  readonly price: Price
}

const NONE: readonly TriggeredExit[] = []

/**
 * Returns the positions in an instrument to be closed now. Not those that an order already closes, that were tried within
 * the last second, or whose close would be denied: these are tried again with a later quote.
 */
export function findTriggeredExits(core: Core, index: number, at: Instant): readonly TriggeredExit[] {
  const quote = quoteAt(core.marks, index)
  const instrument = core.instruments.all[index]
  if (quote === null || instrument === undefined) return NONE
  const found: TriggeredExit[] = []
  for (const position of core.state.positions.open.values()) {
    if (position.instrument !== instrument.id) continue
    const triggered = findTriggeredExit(position, quote)
    if (triggered !== null && canClose(core, position, at)) found.push(triggered)
  }
  return found
}

/** Closes positions whose exit price is reached, each by a reduce-only market order through the gate. */
export function closeAtExits(core: Core, triggered: readonly TriggeredExit[]): void {
  if (triggered.length === 0) return
  const { at } = core.draft
  for (const [id, last] of core.exitAttempts) if (at >= last + RETRY_MS) core.exitAttempts.delete(id)
  for (const { position, kind, price } of triggered) {
    core.exitAttempts.set(position.id, at)
    const { tick } = core.instruments.get(position.instrument)
    const intent: OrderIntent = { type: 'exit', exit: kind, price: priceToNumber(price, tick) }
    submitClose(core, closingTerms(position, null), () => ({ intent }))
  }
}

/** Returns why a position whose exit price is reached cannot be closed; null if none is reached or it can. */
export function findExitDenial(context: RiskContext, position: Position): Denial | null {
  if (position.exits === null) return null
  const quote = quoteAt(context.marks, context.instruments.indexOf(position.instrument))
  if (quote === null || findTriggeredExit(position, quote) === null) return null
  return findCloseObstacle(context, position)
}

function canClose(core: Core, position: Position, at: Instant): boolean {
  const last = core.exitAttempts.get(position.id)
  if (last !== undefined && at < last + RETRY_MS) return false
  return !isBeingClosed(core, position) && findCloseDenial(core, closingTerms(position, null), at) === null
}

function isBeingClosed({ state }: Core, { strategy, instrument }: Position): boolean {
  const { totals, working } = state.orders
  if ((totals.get(positionKey(strategy, instrument))?.reduceOnlyOrders ?? 0) === 0) return false
  for (const order of working.values()) {
    const { terms } = order
    if (terms.strategy === strategy && terms.instrument === instrument && isClosingOrder(order)) return true
  }
  return false
}

/** At most one is reached: they lie on opposite sides of the market. */
function findTriggeredExit(position: Position, quote: Quote): TriggeredExit | null {
  for (const kind of KINDS) {
    const price = priceOf(position.exits, kind)
    if (price !== null && isTriggered(position, kind, price, quote)) return { position, kind, price }
  }
  return null
}

const KINDS: readonly ExitKind[] = ['stop-loss', 'take-profit']

/** A long position is closed at the bid, a short one at the ask. */
function isTriggered({ quantity }: Position, kind: ExitKind, price: Price, { bid, ask }: Quote): boolean {
  const isLong = quantity > 0
  const market = isLong ? bid : ask
  return isLong === (kind === 'stop-loss') ? market <= price : market >= price
}

function newPrice(
  core: Core,
  position: Position,
  exit: ExitKind,
  given: DecimalText | null | undefined,
): Result<Price | null, Refusal> {
  const before = priceOf(position.exits, exit)
  if (given === undefined) return ok(before)
  if (given === null) return ok(null)
  const { id, tick } = core.instruments.get(position.instrument)
  const parsed = parseAnyPrice(given, tick)
  if (!parsed.ok) return refuse({ code: 'exit.malformed', exit, problem: parsed.reason })
  if (parsed.value === before) return parsed
  const quote = quoteAt(core.marks, core.instruments.indexOf(id))
  if (quote === null) return refuse({ code: 'market.none', instrument: id })
  if (!isTriggered(position, exit, parsed.value, quote)) return parsed
  const isLong = position.quantity > 0
  const price = priceToNumber(parsed.value, tick)
  const market = priceToNumber(isLong ? quote.bid : quote.ask, tick)
  return refuse({ code: 'exit.past-market', exit, isLong, price, market })
}

function priceOf(exits: ExitPrices | null, exit: ExitKind): Price | null {
  return exits === null ? null : exit === 'stop-loss' ? exits.stopLoss : exits.takeProfit
}

import type { ClosePosition } from '#model/input.ts'
import type { Order, OrderTerms } from '#model/order.ts'
import type { IntentRecord } from '#model/order-basis.ts'
import { type Position, positionKey } from '#model/position.ts'
import type { Denial, MalformedInput } from '#model/reasons.ts'
import type { RiskContext } from '#risk/exposure.ts'
import { checkClose, findCloseDenial } from '#risk/gate.ts'
import { findPosition } from '#state/position-register.ts'
import type { CommandAnswer, Core } from '#step/step-core.ts'
import type { IdempotencyKey, OrderId } from '#values/ids.ts'
import { instantFromMs } from '#values/instant.ts'
import { type Quantity, quantityFromLots } from '#values/quantity.ts'
import { type Result, refuse } from '#values/result.ts'
import { cancelOversized, cancelWhere } from './cancel.ts'
import { parseClosing, validateKey } from './parse-order.ts'
import { answerPlaced, findRepeatedAnswer, submitOrder } from './place.ts'

/**
 * Closes a position, or a part of it, by a market order. Other working orders that would close it are cancelled first if
 * all of it is closed. A part leaves them: its fill cuts those that are reduce-only, and while trading is not ACTIVE the
 * others that would be too large then are cancelled.
 */
export function closePosition(core: Core, command: ClosePosition): CommandAnswer {
  const { positionId: id, key } = command
  const position = findPosition(core.state.positions, id)
  const part = position && parsePart(core, position, command)
  const repeated = findRepeatedAnswer(
    core,
    command,
    (first) => isClosing(first, position) && isSamePart(first, part),
  )
  if (repeated) return repeated
  const keyProblem = validateKey(key)
  if (keyProblem !== null) return refuse(keyProblem)
  if (!position) return refuse({ code: 'position.unknown', position: id })
  const terms = closingTerms(position, key ?? null)
  if (!part) return answerPlaced(submitClose(core, terms))
  if (!part.ok) return part
  if (part.value === terms.quantity) return answerPlaced(submitClose(core, terms))
  const onApproved = () => cancelOversized(core, positionKey(terms.strategy, terms.instrument), part.value)
  return answerPlaced(submitOrder(core, { ...terms, quantity: part.value }, checkClose, { onApproved }))
}

type Part = Result<Quantity, MalformedInput>

function parsePart(core: Core, position: Position, command: ClosePosition): Part | undefined {
  if (command.quantity === undefined) return undefined
  const held = quantityFromLots(Math.abs(position.quantity))
  return parseClosing(core.instruments.get(position.instrument), held, command.quantity)
}

/** A repeat may come when less is left than the part that was closed. */
function isSamePart(first: OrderTerms, part: Part | undefined): boolean {
  return part === undefined || !part.ok || part.value === first.quantity
}

/** Submits a closing order; if it is approved, other working orders that would close the position are cancelled. */
export function submitClose(core: Core, terms: OrderTerms, describeIntent?: () => IntentRecord): OrderId {
  const cancelOthers = () =>
    cancelWhere(
      core,
      { code: 'cancel.position-closed' },
      (order) =>
        order.terms.strategy === terms.strategy &&
        order.terms.instrument === terms.instrument &&
        order.terms.side === terms.side,
    )
  return submitOrder(core, terms, checkClose, {
    onApproved: cancelOthers,
    ...(describeIntent && { describeIntent }),
  })
}

/** Returns whether a working order closes a position at the market price. */
export function isClosingOrder({ terms }: Order): boolean {
  return terms.type === 'MARKET' && terms.reduceOnly
}

/** A position that is closed by now can only be recognised by the order's terms. */
function isClosing({ type, reduceOnly, strategy, instrument }: OrderTerms, position?: Position): boolean {
  if (type !== 'MARKET' || !reduceOnly) return false
  return position === undefined || (strategy === position.strategy && instrument === position.instrument)
}

/** Returns why a position cannot be closed now; null if it can. */
export function findCloseObstacle(context: RiskContext, position: Position): Denial | null {
  // The age of a quote is judged where the market is; here every known one counts.
  const lenient = { ...context, staleAfterMs: Number.POSITIVE_INFINITY }
  return findCloseDenial(lenient, closingTerms(position, null), instantFromMs(0))
}

export function closingTerms(position: Position, key: IdempotencyKey | null): OrderTerms {
  return {
    strategy: position.strategy,
    instrument: position.instrument,
    side: position.quantity > 0 ? 'SELL' : 'BUY',
    type: 'MARKET',
    timeInForce: 'IOC',
    quantity: quantityFromLots(Math.abs(position.quantity)),
    price: null,
    reduceOnly: true,
    key,
  }
}

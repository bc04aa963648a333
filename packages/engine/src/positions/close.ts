import type { Answer, Core } from '#core.ts'
import { cancelWhere } from '#orders/cancel.ts'
import type { OrderTerms } from '#orders/order.ts'
import { answerAgain, answerPlaced, submitOrder } from '#orders/place.ts'
import { checkClose } from '#risk/gate.ts'
import type { IdempotencyKey, PositionId } from '#values/ids.ts'
import { quantity } from '#values/quantity.ts'
import { refuse } from '#values/result.ts'
import type { Position } from './position.ts'
import { findPosition } from './position-register.ts'

/** Closes a position by a market order; orders working towards the same end are taken back first. */
export function closePosition(core: Core, id: PositionId, key?: IdempotencyKey): Answer {
  const position = findPosition(core.state.positions, id)
  const repeated = answerAgain(core, key, (first) => isClosing(first, position))
  if (repeated) return repeated
  if (!position) return refuse({ code: 'position.unknown', position: id })
  const terms = closingTerms(position, key ?? null)
  const takeBackOthers = () =>
    cancelWhere(
      core,
      { code: 'cancel.position-closed' },
      (order) =>
        order.terms.strategy === terms.strategy &&
        order.terms.instrument === terms.instrument &&
        order.terms.side === terms.side,
    )
  return answerPlaced(submitOrder(core, terms, checkClose, takeBackOthers))
}

/** A position that is closed by now can only be asked about by the form of the order. */
function isClosing({ type, reduceOnly, strategy, instrument }: OrderTerms, position?: Position): boolean {
  if (type !== 'MARKET' || !reduceOnly) return false
  return position === undefined || (strategy === position.strategy && instrument === position.instrument)
}

function closingTerms(position: Position, key: IdempotencyKey | null): OrderTerms {
  return {
    strategy: position.strategy,
    instrument: position.instrument,
    side: position.quantity > 0 ? 'SELL' : 'BUY',
    type: 'MARKET',
    timeInForce: 'IOC',
    quantity: quantity(Math.abs(position.quantity)),
    price: null,
    reduceOnly: true,
    key,
  }
}

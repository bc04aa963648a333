import { type Core, emit } from '#core.ts'
import { cancelOf, cancelWhere } from '#orders/cancel.ts'
import type { OrderTerms } from '#orders/order.ts'
import { submitOrder } from '#orders/place.ts'
import { checkOrder } from '#risk/gate.ts'
import type { StrategyId } from '#values/ids.ts'
import { price } from '#values/price.ts'
import { quantity } from '#values/quantity.ts'
import type { Intent } from './intent.ts'
import type { Runner } from './runner.ts'
import type { OrderWish } from './strategy.ts'

/** After a denial a strategy waits, each time twice as long up to the longest: a journal is not for asking in vain. */
const FIRST_COOL_MS = 30_000
const LONGEST_COOL_MS = 240_000

/** Does what a strategy wants, through the gate that every order goes through. */
export function carryOut(core: Core, runner: Runner): void {
  const { intents } = runner.desk
  for (const intent of intents) carryOutOne(core, runner, intent)
  // To cut the list to nothing in one go is many times slower.
  while (intents.length > 0) intents.pop()
}

/** Marks a strategy as failed, which ends it; its orders are taken back, its positions stay. */
export function failStrategy(core: Core, id: StrategyId, reason: string): void {
  core.live.stop(id)
  core.live.broken.delete(id)
  emit(core, { type: 'StrategyFailed', strategy: id, reason })
  takeBackOrders(core, id)
}

export function takeBackOrders(core: Core, id: StrategyId): void {
  cancelWhere(core, { code: 'cancel.strategy-stopped', strategy: id }, ({ terms }) => terms.strategy === id)
}

function carryOutOne(core: Core, runner: Runner, intent: Intent): void {
  if (intent.type === 'cancel') cancelOf(core, runner.id, intent.orderId)
  else if (intent.type === 'place') {
    const { slot, side, lots, wish } = intent
    order(core, runner, { slot, signed: side === 'BUY' ? lots : -lots, wish })
  } else aim(core, runner, intent.slot, intent.lots)
}

const AT_MARKET: OrderWish = { price: null }

/** Orders what is missing; a rest too small to order is left, unless it would be left for ever. */
function aim(core: Core, runner: Runner, slot: number, lots: number): void {
  const { desk } = runner
  const missing = lots - desk.position(slot) - desk.working(slot)
  const least = lots === 0 ? 1 : desk.instrumentOf(slot).minQuantity
  if (Math.abs(missing) >= least) order(core, runner, { slot, signed: missing, wish: AT_MARKET })
}

interface Wanted {
  readonly slot: number
  readonly signed: number
  readonly wish: OrderWish
}

function order(core: Core, runner: Runner, wanted: Wanted): void {
  const { desk } = runner
  const { at } = core.draft
  const held = desk.position(wanted.slot)
  const adds = Math.abs(held + wanted.signed) > Math.abs(held)
  if (at < (adds ? runner.addFrom : runner.reduceFrom)) return
  const placed = core.state.orders.working.get(submitOrder(core, termsOf(runner, wanted), checkOrder))
  if (placed !== undefined) {
    desk.noteOrder(placed)
    runner.coolMs = 0
    return
  }
  runner.coolMs = Math.min(LONGEST_COOL_MS, Math.max(FIRST_COOL_MS, runner.coolMs * 2))
  if (adds) runner.addFrom = at + runner.coolMs
  else runner.reduceFrom = at + FIRST_COOL_MS
}

function termsOf(runner: Runner, { slot, signed, wish }: Wanted): OrderTerms {
  const isMarket = wish.price === null
  return {
    strategy: runner.id,
    instrument: runner.desk.instrumentOf(slot).id,
    side: signed > 0 ? 'BUY' : 'SELL',
    type: isMarket ? 'MARKET' : 'LIMIT',
    timeInForce: wish.timeInForce ?? (isMarket ? 'IOC' : 'GTC'),
    quantity: quantity(Math.abs(signed)),
    price: wish.price === null ? null : price(wish.price),
    reduceOnly: wish.reduceOnly ?? false,
    key: null,
  }
}

import { INTERVAL_MS } from '#model/interval.ts'
import type { OrderTerms } from '#model/order.ts'
import type { IntentRecord, OrderIntent } from '#model/order-basis.ts'
import type { CancelCause, Denial } from '#model/reasons.ts'
import type { Intent, OrderOptions } from '#model/strategy.ts'
import type { BarTick, MarketTick } from '#model/tick.ts'
import { cancelOwnOrder, cancelWhere } from '#orders/cancel.ts'
import { type SubmitOptions, submitOrder } from '#orders/place.ts'
import { checkOrder } from '#risk/gate.ts'
import { findOrder } from '#state/order-register.ts'
import { emit } from '#step/record.ts'
import type { StrategyBar } from '#strategies/strategy.ts'
import type { OrderId, StrategyId } from '#values/ids.ts'
import { priceFromTicks, priceToNumber } from '#values/price.ts'
import { netQuantityFromLots, quantityFromLots, quantityToNumber } from '#values/quantity.ts'
import type { BarFeed } from './bar-feed.ts'
import { attempt, type Runner, type StrategyCore, usesInterval } from './running-strategies.ts'

/** Cooldown after a denial, doubled for orders that add up to the maximum, so that denials do not fill the journal. */
const FIRST_COOLDOWN_MS = 30_000
const MAX_COOLDOWN_MS = 240_000

/** Dispatches a tick to running strategies: first the bars that it ends, then the quote. */
export function dispatchTick(core: StrategyCore, tick: MarketTick, index: number): void {
  if (tick.type === 'bar') {
    dispatchBar(core, tick, index)
    return
  }
  const { running } = core
  const feeds = running.feedsOf(index)
  for (const feed of feeds) if (feed.finishBar(tick.at, running.bar)) deliverBar(core, index, feed)
  if (tick.type === 'trade') for (const feed of feeds) feed.addTrade(tick.at, tick.price, tick.size)
  else deliverQuote(core, index)
}

function dispatchBar(core: StrategyCore, tick: BarTick, index: number): void {
  const { running } = core
  if (isPastBar(core, tick, index)) running.warmUpWithTick(tick, index)
  else
    for (const feed of running.feedsOf(index))
      if (feed.addBar(tick, running.bar)) deliverBar(core, index, feed)
}

/** A bar without a quote in it comes from a recording: it warms strategies up and is not traded on. */
function isPastBar({ marks }: StrategyCore, { at, interval }: BarTick, index: number): boolean {
  const quotedAt = marks.at[index] ?? 0
  return quotedAt < at - INTERVAL_MS[interval] || quotedAt > at
}

/** Fails the strategies that could not be created after a restart; events need an input. */
export function failBroken(core: StrategyCore): void {
  for (const [id, reason] of [...core.running.broken]) failStrategy(core, id, reason)
}

function deliverBar(core: StrategyCore, index: number, feed: BarFeed): void {
  for (const { runner, slot } of core.running.subscriptionsTo(index)) {
    if (runner.isFinished || !usesInterval(runner, feed.interval)) continue
    // A replaced strategy has just received this bar as its last warm-up bar.
    if (applyNewSettings(core, runner)) continue
    core.running.bar.slot = slot
    runner.barsReceived += 1
    run(core, runner, slot, core.running.bar)
  }
}

function deliverQuote(core: StrategyCore, index: number): void {
  for (const { runner, slot } of core.running.subscriptionsTo(index)) {
    if (runner.isFinished || runner.strategy.onQuote === undefined) continue
    if (runner.next !== null && runner.strategy.interval === null && applyNewSettings(core, runner)) continue
    run(core, runner, slot, null)
  }
}

/** Applies new settings; orders placed under the old ones are cancelled. */
function applyNewSettings(core: StrategyCore, runner: Runner): boolean {
  if (runner.next === null) return false
  cancelOrdersOf(core, runner.id, { code: 'cancel.strategy-reconfigured', strategy: runner.id })
  core.running.swap(runner, runner.next)
  return true
}

function run(core: StrategyCore, runner: Runner, slot: number, bar: StrategyBar | null): void {
  const { context } = runner
  context.now = core.draft.at
  context.isLive = true
  const failure = attempt(runner, slot, bar)
  if (failure !== null) failStrategy(core, runner.id, failure)
  else if (context.intents.size > 0) executeIntents(core, runner)
}

/** Executes a strategy's intents through the same gate as every order. */
export function executeIntents(core: StrategyCore, runner: Runner): void {
  const { intents } = runner.context
  for (let nth = 0; nth < intents.size; nth++) executeIntent(core, runner, intents.at(nth))
  intents.clear()
}

/** Marks a strategy as failed and stops it; its orders are cancelled, its positions stay. */
export function failStrategy(core: StrategyCore, id: StrategyId, reason: string): void {
  core.running.stop(id)
  core.running.broken.delete(id)
  emit(core, { type: 'StrategyFailed', strategy: id, reason })
  cancelOrdersOf(core, id, { code: 'cancel.strategy-stopped', strategy: id })
}

export function cancelOrdersOf(core: StrategyCore, id: StrategyId, cause: CancelCause): void {
  cancelWhere(core, cause, ({ terms }) => terms.strategy === id)
}

function executeIntent(core: StrategyCore, runner: Runner, intent: Intent): void {
  if (intent.type === 'cancel') cancelOwnOrder(core, runner.id, intent.orderId)
  else if (intent.type === 'place') {
    const { slot, side, lots, options } = intent
    submitIntent(core, runner, { slot, signedLots: side === 'BUY' ? lots : -lots, options, intent })
  } else orderTarget(core, runner, intent)
}

const AT_MARKET: OrderOptions = { price: null }
/** A backtest records no intents. */
const NO_OPTIONS: SubmitOptions = {}

/** Orders the difference to the target. A difference below the minimum quantity is left, except when closing. */
function orderTarget(core: StrategyCore, runner: Runner, intent: Extract<Intent, { type: 'target' }>): void {
  const { context } = runner
  const { slot, lots } = intent
  const difference = lots - context.position(slot) - context.working(slot)
  const minLots = lots === 0 ? 1 : context.instrumentOf(slot).minQuantity
  if (Math.abs(difference) >= minLots) {
    submitIntent(core, runner, { slot, signedLots: difference, options: AT_MARKET, intent })
  }
}

interface OrderRequest {
  readonly slot: number
  readonly signedLots: number
  readonly options: OrderOptions
  /** What the strategy gave. */
  readonly intent: Exclude<Intent, { type: 'cancel' }>
}

function submitIntent(core: StrategyCore, runner: Runner, request: OrderRequest): void {
  const { context } = runner
  const { at } = core.draft
  const held = context.position(request.slot)
  const adds = Math.abs(held + request.signedLots) > Math.abs(held)
  if (at < (adds ? runner.addFrom : runner.reduceFrom)) return
  const options = core.isBacktest ? NO_OPTIONS : optionsWithIntent(runner, request)
  const id = submitOrder(core, termsOf(runner, request), checkOrder, options)
  const placed = core.state.orders.working.get(id)
  if (placed === undefined) {
    coolDown(core, runner, id, adds)
    return
  }
  context.addOrder(placed)
  runner.cooldownMs = 0
  runner.denials = null
}

/** A function of its own: parameters that a closure uses are slower to read. */
function optionsWithIntent(runner: Runner, request: OrderRequest): SubmitOptions {
  return { describeIntent: () => recordIntent(runner, request) }
}

function recordIntent(runner: Runner, { slot, intent }: OrderRequest): IntentRecord {
  const { lot, tick } = runner.context.instrumentOf(slot)
  const inUnits = (lots: number) => quantityToNumber(netQuantityFromLots(lots), lot)
  const signal = runner.strategy.explain?.(runner.context)
  const recorded: OrderIntent =
    intent.type === 'target'
      ? { type: 'target', position: inUnits(intent.lots) }
      : {
          type: 'place',
          side: intent.side,
          quantity: inUnits(intent.lots),
          price:
            intent.options.price === null ? null : priceToNumber(priceFromTicks(intent.options.price), tick),
        }
  return signal === undefined ? { intent: recorded } : { intent: recorded, signal }
}

function coolDown(core: StrategyCore, runner: Runner, denied: OrderId, adds: boolean): void {
  const { at } = core.draft
  if (adds) runner.cooldownMs = Math.min(MAX_COOLDOWN_MS, Math.max(FIRST_COOLDOWN_MS, runner.cooldownMs * 2))
  const retryAt = at + (adds ? runner.cooldownMs : FIRST_COOLDOWN_MS)
  if (adds) runner.addFrom = retryAt
  else runner.reduceFrom = retryAt
  // An order that does not work after its submission was denied.
  const reason = findOrder(core.state.orders, denied)?.reason as Denial
  runner.denials = { count: (runner.denials?.count ?? 0) + 1, reason, retryAt }
}

function termsOf(runner: Runner, { slot, signedLots, options }: OrderRequest): OrderTerms {
  const isMarket = options.price === null
  return {
    strategy: runner.id,
    instrument: runner.context.instrumentOf(slot).id,
    side: signedLots > 0 ? 'BUY' : 'SELL',
    type: isMarket ? 'MARKET' : 'LIMIT',
    timeInForce: options.timeInForce ?? (isMarket ? 'IOC' : 'GTC'),
    quantity: quantityFromLots(Math.abs(signedLots)),
    price: options.price === null ? null : priceFromTicks(options.price),
    reduceOnly: options.reduceOnly ?? false,
    key: null,
  }
}

import { DEPTH_LEVELS, type DepthLevel, depthOf, depthPrice, depthSize, depthSizeAt } from '#market/depth.ts'
import { createOrderBook, type Match, type Taker } from '#market/order-book.ts'
import type { OrderReport } from '#model/input.ts'
import { feeOn, type Instrument, type Liquidity, notionalOf } from '#model/instrument.ts'
import type { OrderTerms } from '#model/order.ts'
import type { CancelCause, StopPastMarket, VenueRejection } from '#model/reasons.ts'
import { describeStop, isStopReached } from '#model/stop.ts'
import { oppositeOf, type QuoteTick, type Side, type TradeTick } from '#model/tick.ts'
import type { Approved, VenueChange, VenueOrder } from '#risk/gate.ts'
import { assert } from '#values/bug.ts'
import type { OrderId } from '#values/ids.ts'
import { type Price, priceFromTicks } from '#values/price.ts'
import { type Quantity, quantityFromLots } from '#values/quantity.ts'
import { ShortMap } from '#values/short-map.ts'
import type { ExpectedFill } from './venue.ts'
import { VenueHoldings } from './venue-holdings.ts'

/** Receives a report about an order. */
export type SendReport = (report: OrderReport) => void

interface VenueOrderState {
  readonly order: VenueOrder
  price: Price | null
  remaining: Quantity
  filled: number
  fills: number
  /** The number of the last change received. */
  lastChange: number
  /** In the book it waits for a match, else for its trigger or for the first quote. */
  waitsFor: 'match' | 'trigger' | 'quote'
}

/** One instrument at a simulated venue: an order book with the depth of the quote and our orders. */
export class VenueBook {
  readonly holdings: VenueHoldings
  readonly #instrument: Instrument
  readonly #report: SendReport
  readonly #book = createOrderBook()
  readonly #live = new ShortMap<OrderId, VenueOrderState>()
  #top: QuoteTick | null = null
  /** The depth is entered into the book only when our orders can match it. */
  #isDepthCurrent = false
  /** Lots taken from the depth since the quote without entering it into the book. */
  readonly #taken: Record<Side, number> = { BUY: 0, SELL: 0 }
  /** Trades since the quote that reached none of our orders. The depth is without them until it is needed. */
  #pendingTrades: TradeTick[] = []

  constructor(instrument: Instrument, report: SendReport) {
    this.holdings = new VenueHoldings(instrument.kind)
    this.#instrument = instrument
    this.#report = report
  }

  submit(order: Approved<VenueOrder>): void {
    const { orderId, price, filled, fills } = order
    const rejection = order.wasAcceptedBefore ? null : this.#findPastStop(order, price)
    if (rejection !== null) {
      this.#report({ type: 'rejected', orderId, reason: rejection })
      return
    }
    const live: VenueOrderState = {
      order,
      price,
      remaining: order.quantity,
      filled,
      fills,
      lastChange: 0,
      waitsFor: 'quote',
    }
    this.#live.add(orderId, live)
    // A market order with a quote is answered by its outcome: a fill implies acceptance.
    const isAnsweredByOutcome = order.terms.type === 'MARKET' && this.#top !== null
    if (!isAnsweredByOutcome) this.#report({ type: 'accepted', orderId })
    this.#processOrder(live)
  }

  change({ orderId, number: change, quantity: wanted, price }: Approved<VenueChange>): void {
    const live = this.#live.get(orderId)
    if (live !== undefined) {
      // Sent twice, as after a halt: the answer is in transit to the desk.
      if (change <= live.lastChange) return
      live.lastChange = change
    }
    const isLate = live === undefined || wanted <= live.filled
    const isPriceChanged = live !== undefined && price !== live.price
    const rejection = isPriceChanged ? this.#findPastStop(live.order, price) : null
    if (isLate || rejection !== null) {
      const reason: VenueRejection = rejection ?? { code: 'venue.refused', message: 'too late' }
      this.#report({ type: 'changeRejected', orderId, change, reason })
      return
    }
    const keepsQueuePosition = price === live.price && wanted - live.filled <= live.remaining
    live.remaining = quantityFromLots(wanted - live.filled)
    live.price = price
    this.#report({ type: 'changed', orderId, change, quantity: wanted, price })
    if (keepsQueuePosition) {
      this.#book.reduce(orderId, live.remaining)
      return
    }
    this.#leaveBook(live)
    this.#processOrder(live)
  }

  cancel(id: OrderId, cause: CancelCause): void {
    const live = this.#live.get(id)
    if (live) this.#endOrder(live, cause)
  }

  get latestQuote(): QuoteTick | null {
    return this.#top
  }

  orderIds(): OrderId[] {
    return [...this.#live.keys()]
  }

  cancelAll(cause: CancelCause): void {
    for (const live of [...this.#live.values()]) this.#endOrder(live, cause)
  }

  quote(tick: QuoteTick): void {
    this.#top = tick
    this.#taken.BUY = this.#taken.SELL = 0
    if (this.#pendingTrades.length > 0) this.#pendingTrades = []
    if (this.#isDepthCurrent) this.#book.dropDepth()
    this.#isDepthCurrent = false
    if (this.#live.size === 0 || this.#tryFastQuote(tick)) return
    this.#refreshDepth()
    for (const live of [...this.#live.values()]) if (live.waitsFor !== 'match') this.#processOrder(live)
  }

  trade(tick: TradeTick): void {
    if (this.#live.size === 0) return
    if (this.#top !== null && !this.#isDepthCurrent && this.#tryFastTrade(tick, this.#top)) return
    this.#refreshDepth()
    this.#fillResting(tick.aggressor, tick.size, tick.price)
  }

  /** Returns whether a trade reaches one of our orders, or the depth while one works. */
  isTradeRelevant(ticks: number, aggressor: Side): boolean {
    if (this.#live.size === 0) return false
    if (this.#top === null || !isInSpread(this.#top, aggressor, ticks)) return true
    for (const live of this.#live.values()) if (isReachedByTrade(live, aggressor, ticks)) return true
    return false
  }

  /** Returns what an order with these terms would fill at once, or null before the first quote. */
  estimate(terms: OrderTerms): ExpectedFill[] | null {
    if (this.#top === null) return null
    if (terms.type === 'STOP') return []
    if (this.#live.size > 0) this.#refreshDepthWithoutFills()
    const maxFill = this.holdings.maxFill(terms, terms.quantity)
    const limit = terms.type === 'LIMIT' ? terms.price : null
    const taker = { side: terms.side, quantity: maxFill, limit, skipsOwn: true }
    const matches = merged(this.#isDepthCurrent ? this.#book.peek(taker) : this.#peekDepth(taker, this.#top))
    if (terms.timeInForce === 'FOK' && lotsOf(matches) < terms.quantity) return []
    return matches.map(({ quantity: lots, price }) => {
      const fee = feeOn(this.#instrument, notionalOf(this.#instrument, price, lots), 'TAKER')
      return { quantity: lots, price, liquidity: 'TAKER', fee }
    })
  }

  /** The depth as it will be entered into the book, without what was taken since the quote. */
  #peekDepth(taker: Taker, top: QuoteTick): Match[] {
    const depth = createOrderBook()
    const side = oppositeOf(taker.side)
    depth.setDepth(side, depthOf(top, side))
    const taken = this.#taken[side]
    if (taken > 0) depth.take({ ...taker, quantity: taken, limit: null })
    return depth.take(taker)
  }

  /** Returns the rejection of a stop that would trigger at once, with the market price. */
  #findPastStop({ terms }: VenueOrder, stop: Price | null): StopPastMarket | null {
    const { type, side } = terms
    if (type !== 'STOP' || stop === null || this.#top === null) return null
    return isStopReached(side, stop, this.#top) ? describeStop(this.#instrument, side, stop, this.#top) : null
  }

  /**
   * Fast path for a quote that reaches at most one of our orders while all of them rest: only the queues that they wait
   * in follow the depth, and the one that is reached fills from it. The rest of the book is made when it is needed.
   */
  #tryFastQuote(top: QuoteTick): boolean {
    let reached: VenueOrderState | null = null
    for (const live of this.#live.values()) {
      const { waitsFor, price, order } = live
      if (waitsFor !== 'match' || price === null) return false
      if (order.terms.side === 'BUY' ? price < top.ask : price > top.bid) continue
      if (reached !== null) return false
      reached = live
    }
    if (reached !== null && !this.#canFillFromDepth(reached, top)) return false
    // The triggering side has passed this price, so no depth is added there.
    this.#book.resizeDepths(top)
    if (reached !== null) this.#fillFromDepth(reached, top)
    return true
  }

  /**
   * Whether the depth fills the order completely. Our order has queue priority: the depth was beyond its price until now.
   */
  #canFillFromDepth({ order, price, remaining }: VenueOrderState, top: QuoteTick): boolean {
    const side = oppositeOf(order.terms.side)
    if (this.holdings.maxFill(order.terms, remaining) < remaining) return false
    const last = lastLevelTaken(top, side, remaining)
    return last !== null && !isWorse(side, last, price)
  }

  #fillFromDepth(live: VenueOrderState, top: QuoteTick): void {
    const { order, price, remaining } = live
    if (price === null) return
    const side = oppositeOf(order.terms.side)
    this.#leaveBook(live)
    this.#countTaken(side, remaining)
    for (let level = 0; live.remaining > 0; level++) {
      const lots = Math.min(live.remaining, depthSize(top, side, level))
      this.#fill(live, quantityFromLots(lots), price, 'MAKER')
    }
  }

  /** Fast path for a trade that reaches none of our orders, or one of them and not the depth. */
  #tryFastTrade(tick: TradeTick, top: QuoteTick): boolean {
    let reached: VenueOrderState | null = null
    for (const live of this.#live.values()) {
      if (!isReachedByTrade(live, tick.aggressor, tick.price)) continue
      if (reached !== null) return false
      reached = live
    }
    const isInSpreadOfQuote = isInSpread(top, tick.aggressor, tick.price)
    if (reached !== null) return isInSpreadOfQuote && this.#tryFill(reached, tick.size)
    if (!isInSpreadOfQuote) this.#pendingTrades.push(tick)
    return true
  }

  /** Fills a resting order that has nobody before it; returns false if it may not fill. */
  #tryFill(live: VenueOrderState, size: number): boolean {
    const { order, price, remaining } = live
    const lots = Math.min(size, remaining)
    if (price === null || this.holdings.maxFill(order.terms, lots) < lots) return false
    if (lots === remaining) this.#leaveBook(live)
    else this.#book.reduce(order.orderId, quantityFromLots(remaining - lots))
    this.#fill(live, quantityFromLots(lots), price, 'MAKER')
    return true
  }

  #refreshDepth(): void {
    if (this.#top === null) return
    if (!this.#isDepthCurrent) this.#enterDepth(this.#top)
    if (this.#pendingTrades.length === 0) return
    const trades = this.#pendingTrades
    this.#pendingTrades = []
    for (const { aggressor, size, price } of trades) this.#fillResting(aggressor, size, price)
  }

  /** What is entered late changes nothing of ours: orders that it reached were filled when it came. */
  #refreshDepthWithoutFills(): void {
    const before = this.#countFilled()
    const { size } = this.#live
    this.#refreshDepth()
    assert(this.#live.size === size && this.#countFilled() === before, 'an estimate filled an order')
  }

  #countFilled(): number {
    let lots = 0
    for (const { filled } of this.#live.values()) lots += filled
    return lots
  }

  #enterDepth(top: QuoteTick): void {
    this.#isDepthCurrent = true
    const bids = depthOf(top, 'BUY')
    this.#book.setDepth('BUY', bids)
    this.#book.setDepth('SELL', this.#matchNewLevels('SELL', depthOf(top, 'SELL')))
    this.#book.setDepth('BUY', this.#matchNewLevels('BUY', bids))
    this.#removeTaken('SELL')
    this.#removeTaken('BUY')
  }

  #removeTaken(side: Side): void {
    const lots = this.#taken[oppositeOf(side)]
    if (lots > 0) this.#book.take({ side, quantity: lots, limit: null, skipsOwn: true })
  }

  /** New prices of the depth first match our orders in their way. */
  #matchNewLevels(side: Side, levels: readonly DepthLevel[]): DepthLevel[] {
    return levels.map(({ price, size }) => {
      return { price, size: quantityFromLots(size - this.#fillResting(side, size, price)) }
    })
  }

  /** Matches the depth with resting orders; what an order may not fill goes to those behind it. */
  #fillResting(side: Side, lots: number, limit: Price): number {
    const matches = this.#book.take({ side, quantity: lots, limit, skipsOwn: false })
    let [given, withheld] = [0, 0]
    for (const match of matches) {
      const unsettled = this.#fillMatch(match)
      given += match.quantity - unsettled
      withheld += unsettled
    }
    return withheld === 0 ? given : given + this.#fillResting(side, withheld, limit)
  }

  /** Fills our matched orders; returns the quantity that may not fill for lack of a position. */
  #fillMatch({ owner, quantity: lots, price }: Match): number {
    const live = owner === null ? undefined : this.#live.get(owner)
    if (live === undefined) return 0
    const maxFill = this.holdings.maxFill(live.order.terms, lots)
    if (maxFill > 0) this.#fill(live, quantityFromLots(maxFill), price, 'MAKER')
    if (maxFill < lots) this.#endOrder(live, nothingLeftFor(live))
    return lots - maxFill
  }

  #fill(live: VenueOrderState, lots: Quantity, price: Price, liquidity: Liquidity): void {
    const { orderId } = live.order
    live.remaining = quantityFromLots(live.remaining - lots)
    live.filled += lots
    this.holdings.addFill(live.order.terms, lots)
    live.fills += 1
    if (live.remaining === 0) this.#live.delete(orderId)
    const fee = feeOn(this.#instrument, notionalOf(this.#instrument, price, lots), liquidity)
    this.#report({ type: 'filled', orderId, fill: live.fills, quantity: lots, price, liquidity, fee })
  }

  /** Triggers, matches or rests an order as far as it can now. */
  #processOrder(live: VenueOrderState): void {
    const { orderId, terms, isTriggered } = live.order
    if (this.#top === null) this.#restWithoutQuote(live)
    else if (terms.type !== 'STOP' || isTriggered) this.#matchOrRest(live)
    else if (isStopTriggered(live, this.#top)) {
      this.#report({ type: 'triggered', orderId })
      this.#matchOrRest(live)
    } else live.waitsFor = 'trigger'
  }

  /** Without a quote, an order that can rest does, so that it keeps its price after a restart. */
  #restWithoutQuote(live: VenueOrderState): void {
    const { orderId, terms } = live.order
    const canRest = terms.type === 'LIMIT' && terms.timeInForce === 'GTC' && live.price !== null
    live.waitsFor = canRest ? 'match' : 'quote'
    if (canRest && live.price !== null) this.#book.add(orderId, terms.side, live.price, live.remaining)
  }

  /** Matches what can be matched at once; the rest waits or is cancelled by its time in force. */
  #matchOrRest(live: VenueOrderState): void {
    if (this.#top !== null && this.#canMatchOutsideBook(live)) {
      this.#takeFromDepth(live, this.#top)
      return
    }
    if (this.#top !== null && this.#canRestUnmatched(live, this.#top)) {
      this.#restUnmatched(live, live.price, this.#top)
      return
    }
    this.#refreshDepth()
    const { terms } = live.order
    const limit = terms.type === 'LIMIT' ? live.price : null
    const maxFill = this.holdings.maxFill(terms, live.remaining)
    const taker = { side: terms.side, quantity: maxFill, limit, skipsOwn: true }
    const isAllOrNothing = terms.timeInForce === 'FOK'
    if (!isAllOrNothing || lotsOf(this.#book.peek(taker)) >= live.remaining) {
      for (const match of merged(this.#book.take(taker)))
        this.#fill(live, match.quantity, match.price, 'TAKER')
    }
    if (live.remaining === 0) return
    this.#restOrCancel(live, limit)
  }

  /** Fast path for an order that cannot rest while none of ours does: the depth is matched outside the book. */
  #canMatchOutsideBook({ order }: VenueOrderState): boolean {
    const { type, timeInForce } = order.terms
    const isUntouched = !this.#isDepthCurrent && this.#pendingTrades.length === 0
    return isUntouched && this.#live.size === 1 && (type !== 'LIMIT' || timeInForce !== 'GTC')
  }

  /** Fast path for an order that does not cross. */
  #canRestUnmatched({ order, price }: VenueOrderState, top: QuoteTick): boolean {
    const { type, timeInForce, side } = order.terms
    if (type !== 'LIMIT' || timeInForce !== 'GTC' || price === null) return false
    if (side === 'BUY' ? price >= top.ask : price <= top.bid) return false
    if (this.#pendingTrades.length > 0) return false
    const taken = side === 'BUY' ? this.#taken.BUY : this.#taken.SELL
    if (this.#isDepthCurrent || taken === 0) return true
    const last = lastLevelTaken(top, side, taken)
    return last !== null && isWorse(side, price, last)
  }

  /** Only the queue that the order joins must be that of the quote. */
  #restUnmatched(live: VenueOrderState, price: Price | null, top: QuoteTick): void {
    const { side } = live.order.terms
    if (price !== null && !this.#isDepthCurrent)
      this.#book.setDepthAt(side, price, depthSizeAt(top, side, price))
    this.#restOrCancel(live, price)
  }

  #takeFromDepth(live: VenueOrderState, top: QuoteTick): void {
    const side = oppositeOf(live.order.terms.side)
    const limit = live.order.terms.type === 'LIMIT' ? live.price : null
    let maxFill = this.holdings.maxFill(live.order.terms, live.remaining)
    const isAllOrNothing = live.order.terms.timeInForce === 'FOK'
    if (isAllOrNothing && Math.min(maxFill, this.#depthLots(top, side, limit)) < live.remaining) {
      this.#restOrCancel(live, null)
      return
    }
    let before = side === 'BUY' ? this.#taken.BUY : this.#taken.SELL
    for (let level = 0; level < DEPTH_LEVELS && maxFill > 0; level++) {
      const ticks = depthPrice(top, side, level)
      if (ticks < 1 || isWorse(side, ticks, limit)) break
      const size = depthSize(top, side, level)
      const lots = Math.min(maxFill, Math.max(0, size - before))
      before = Math.max(0, before - size)
      if (lots === 0) continue
      maxFill -= lots
      this.#countTaken(side, lots)
      this.#fill(live, quantityFromLots(lots), priceFromTicks(ticks), 'TAKER')
    }
    if (live.remaining > 0) this.#restOrCancel(live, null)
  }

  #countTaken(side: Side, lots: number): void {
    if (side === 'BUY') this.#taken.BUY += lots
    else this.#taken.SELL += lots
  }

  /** Returns the lots of the depth up to a limit, without those taken since the quote. */
  #depthLots(top: QuoteTick, side: Side, limit: Price | null): number {
    let taken = side === 'BUY' ? this.#taken.BUY : this.#taken.SELL
    let lots = 0
    for (let level = 0; level < DEPTH_LEVELS; level++) {
      const ticks = depthPrice(top, side, level)
      if (ticks < 1 || isWorse(side, ticks, limit)) break
      const size = depthSize(top, side, level)
      lots += Math.max(0, size - taken)
      taken = Math.max(0, taken - size)
    }
    return lots
  }

  /** The unmatched rest enters the book or is cancelled. */
  #restOrCancel(live: VenueOrderState, limit: Price | null): void {
    const { orderId, terms } = live.order
    if (this.holdings.maxFill(terms, live.remaining) === 0) {
      this.#endOrder(live, nothingLeftFor(live))
      return
    }
    if (limit !== null && terms.timeInForce === 'GTC') {
      live.waitsFor = 'match'
      this.#book.add(orderId, terms.side, limit, live.remaining)
      return
    }
    const timeInForce = terms.timeInForce === 'FOK' ? 'FOK' : 'IOC'
    this.#endOrder(live, { code: 'cancel.remainder', timeInForce })
  }

  /** Removes stale depth together with the order queued in it. */
  #leaveBook({ order }: VenueOrderState): void {
    this.#book.remove(order.orderId, order.terms.side, this.#isDepthCurrent)
  }

  #endOrder(live: VenueOrderState, cause: CancelCause): void {
    const { orderId } = live.order
    this.#leaveBook(live)
    this.#live.delete(orderId)
    this.#report({ type: 'cancelled', orderId, cause })
  }
}

/** Why an order may not fill any more: it only reduces, or it sells spot that is not held. */
function nothingLeftFor({ order }: VenueOrderState): CancelCause {
  return { code: order.terms.reduceOnly ? 'cancel.nothing-to-reduce' : 'cancel.nothing-to-sell' }
}

function isStopTriggered({ order, price }: VenueOrderState, top: QuoteTick): boolean {
  return price === null || isStopReached(order.terms.side, price, top)
}

function isReachedByTrade(
  { waitsFor, price, order }: VenueOrderState,
  aggressor: Side,
  limit: number,
): boolean {
  if (waitsFor !== 'match' || price === null || order.terms.side === aggressor) return false
  return aggressor === 'BUY' ? price <= limit : price >= limit
}

/** Returns whether a trade is at a price that the depth of a quote does not have. */
function isInSpread(top: QuoteTick, aggressor: Side, ticks: number): boolean {
  return aggressor === 'BUY' ? ticks < top.ask : ticks > top.bid
}

/** Returns the price of the last level that so many lots take from the depth, or null if it has fewer. */
function lastLevelTaken(top: QuoteTick, side: Side, lots: number): number | null {
  let left = lots
  for (let level = 0; level < DEPTH_LEVELS; level++) {
    const ticks = depthPrice(top, side, level)
    if (ticks < 1) return null
    left -= depthSize(top, side, level)
    if (left <= 0) return ticks
  }
  return null
}

/** Returns whether a price of the depth is worse than a limit; null has none. */
function isWorse(side: Side, ticks: number, limit: number | null): boolean {
  if (limit === null) return false
  return side === 'SELL' ? ticks > limit : ticks < limit
}

function lotsOf(matches: readonly Match[]): number {
  return matches.reduce((sum, match) => sum + match.quantity, 0)
}

/** One fill per price, however many orders were matched. */
function merged(matches: readonly Match[]): Match[] {
  const fills: Match[] = []
  for (const match of matches) {
    const last = fills.at(-1)
    if (last?.price === match.price) {
      fills[fills.length - 1] = { ...last, quantity: quantityFromLots(last.quantity + match.quantity) }
    } else fills.push(match)
  }
  return fills
}

import { crowdAt, DEPTH_LEVELS, type DepthLevel, depthOf, depthPrice, depthSize } from '#market/depth.ts'
import { createOrderBook, type Match, type Taking } from '#market/order-book.ts'
import type { OrderReport } from '#model/input.ts'
import { feeOn, type Instrument, type Liquidity, notionalOf } from '#model/instrument.ts'
import type { OrderTerms } from '#model/order.ts'
import type { CancelCause, StopPastMarket, VenueRejection } from '#model/reasons.ts'
import { describeStop, isStopReached } from '#model/stop.ts'
import { oppositeOf, type QuoteTick, type Side, type TradeTick } from '#model/tick.ts'
import type { Approved, VenueChange, VenueOrder } from '#risk/gate.ts'
import type { OrderId } from '#values/ids.ts'
import { type Price, price as ticksOf } from '#values/price.ts'
import { type Quantity, quantity } from '#values/quantity.ts'
import { ShortMap } from '#values/short-map.ts'
import type { ExpectedFill } from './venue.ts'
import { VenueHoldings } from './venue-holdings.ts'

/** Receives a report about an order. */
export type SendReport = (report: OrderReport) => void

interface LiveOrder {
  readonly order: VenueOrder
  price: Price | null
  remaining: Quantity
  filled: number
  fills: number
  /** The number of the last change received. */
  changes: number
  /** Where it waits: in the book, for its trigger, or for the first quote. */
  place: 'book' | 'trigger' | 'quote'
}

/** One instrument at a simulated venue: an order book with the crowd's orders and ours. */
export class VenueBook {
  readonly holdings: VenueHoldings
  readonly #instrument: Instrument
  readonly #report: SendReport
  readonly #book = createOrderBook()
  readonly #live = new ShortMap<OrderId, LiveOrder>()
  #top: QuoteTick | null = null
  /** The crowd is entered into the book only when our orders can match it. */
  #isCrowdCurrent = false
  /** Lots taken from the crowd since the quote without entering it into the book. */
  readonly #taken: Record<Side, number> = { BUY: 0, SELL: 0 }
  /** Trades since the quote that reached none of our orders. The crowd is without them until it is needed. */
  #pendingTrades: TradeTick[] = []

  constructor(instrument: Instrument, report: SendReport) {
    this.holdings = new VenueHoldings(instrument.kind)
    this.#instrument = instrument
    this.#report = report
  }

  submit(order: Approved<VenueOrder>): void {
    const { orderId, price, filled, fills } = order
    const isPast = !order.wasAcceptedBefore && this.#findPastStop(order, price)
    if (isPast) {
      this.#report({ type: 'rejected', orderId, reason: isPast })
      return
    }
    const mine: LiveOrder = {
      order,
      price,
      remaining: order.quantity,
      filled,
      fills,
      changes: 0,
      place: 'quote',
    }
    this.#live.add(orderId, mine)
    // A market order with a quote is answered by its outcome: a fill implies acceptance.
    const isAnsweredByOutcome = order.terms.type === 'MARKET' && this.#top !== null
    if (!isAnsweredByOutcome) this.#report({ type: 'accepted', orderId })
    this.#work(mine)
  }

  change({ orderId, number: change, quantity: wanted, price }: Approved<VenueChange>): void {
    const mine = this.#live.get(orderId)
    if (mine !== undefined && this.#isRepeatedChange(mine, change)) return
    const isLate = mine === undefined || wanted <= mine.filled
    const isPast = mine !== undefined && price !== mine.price && this.#findPastStop(mine.order, price)
    if (isLate || isPast) {
      const reason: VenueRejection = isPast || { code: 'venue.refused', message: 'too late' }
      this.#report({ type: 'changeRejected', orderId, change, reason })
      return
    }
    const keepsPlace = price === mine.price && wanted - mine.filled <= mine.remaining
    mine.remaining = quantity(wanted - mine.filled)
    mine.price = price
    this.#report({ type: 'changed', orderId, change, quantity: wanted, price })
    if (keepsPlace) {
      this.#book.shrink(orderId, mine.remaining)
      return
    }
    this.#book.remove(orderId)
    this.#work(mine)
  }

  cancel(id: OrderId, cause: CancelCause): void {
    const mine = this.#live.get(id)
    if (mine) this.#endOrder(mine, cause)
  }

  orderIds(): OrderId[] {
    return [...this.#live.keys()]
  }

  cancelAll(cause: CancelCause): void {
    for (const mine of [...this.#live.values()]) this.#endOrder(mine, cause)
  }

  quote(tick: QuoteTick): void {
    this.#top = tick
    this.#taken.BUY = this.#taken.SELL = 0
    if (this.#pendingTrades.length > 0) this.#pendingTrades = []
    if (this.#isCrowdCurrent) this.#book.dropCrowd()
    this.#isCrowdCurrent = false
    if (this.#live.size === 0 || this.#meetQuote(tick)) return
    this.#refreshCrowd()
    for (const mine of [...this.#live.values()]) if (mine.place !== 'book') this.#work(mine)
  }

  trade(tick: TradeTick): void {
    if (this.#live.size === 0) return
    if (this.#top !== null && !this.#isCrowdCurrent && this.#meetTrade(tick, this.#top)) return
    this.#refreshCrowd()
    this.#fillResting(tick.aggressor, tick.size, tick.price)
  }

  /** Returns whether a trade reaches one of our orders, or the crowd while one works. */
  isTradeFelt(ticks: number, aggressor: Side): boolean {
    if (this.#live.size === 0) return false
    if (this.#top === null || !isInSpread(this.#top, aggressor, ticks)) return true
    for (const mine of this.#live.values()) if (isReachedByTrade(mine, aggressor, ticks)) return true
    return false
  }

  /** Returns what an order with these terms would fill at once, or null before the first quote. */
  estimate(terms: OrderTerms): ExpectedFill[] | null {
    if (this.#top === null) return null
    if (terms.type === 'STOP') return []
    if (this.#live.size > 0) this.#refreshCrowd()
    const most = this.holdings.maxFill(terms, terms.quantity)
    const limit = terms.type === 'LIMIT' ? terms.price : null
    const taking = { side: terms.side, quantity: most, limit, sparesOwn: true }
    const matches = merged(
      this.#isCrowdCurrent ? this.#book.peek(taking) : this.#peekCrowd(taking, this.#top),
    )
    if (terms.timeInForce === 'FOK' && lotsOf(matches) < terms.quantity) return []
    return matches.map(({ quantity: lots, price }) => {
      const fee = feeOn(this.#instrument, notionalOf(this.#instrument, price, lots), 'TAKER')
      return { quantity: lots, price, liquidity: 'TAKER', fee }
    })
  }

  /** The crowd as it will be entered into the book, without what was taken since the quote. */
  #peekCrowd(taking: Taking, top: QuoteTick): Match[] {
    const crowd = createOrderBook()
    const side = oppositeOf(taking.side)
    crowd.setCrowd(side, depthOf(top, side))
    const taken = this.#taken[side]
    if (taken > 0) crowd.take({ ...taking, quantity: taken, limit: null })
    return crowd.take(taking)
  }

  /** As after a halt: the answer is in transit to the desk. */
  #isRepeatedChange(mine: LiveOrder, change: number): boolean {
    if (change <= mine.changes) return true
    mine.changes = change
    return false
  }

  /** Returns the rejection of a stop that would trigger at once, with the market price. */
  #findPastStop({ terms }: VenueOrder, stop: Price | null): StopPastMarket | false {
    const { type, side } = terms
    if (type !== 'STOP' || stop === null || this.#top === null) return false
    return isStopReached(side, stop, this.#top) && describeStop(this.#instrument, side, stop, this.#top)
  }

  /**
   * Fast path for a quote that reaches at most one of our orders while all of them rest: only the queues that they wait
   * in follow the crowd, and the one that is reached fills from it. The rest of the book is made when it is needed.
   */
  #meetQuote(top: QuoteTick): boolean {
    let reached: LiveOrder | null = null
    for (const mine of this.#live.values()) {
      const { place, price, order } = mine
      if (place !== 'book' || price === null) return false
      if (order.terms.side === 'BUY' ? price < top.ask : price > top.bid) continue
      if (reached !== null) return false
      reached = mine
    }
    if (reached !== null && !this.#fillsFromCrowd(reached, top)) return false
    for (const mine of this.#live.values()) {
      const { price, order } = mine
      const { side } = order.terms
      if (price !== null && mine !== reached) this.#book.setCrowdAt(side, price, crowdAt(top, side, price))
    }
    if (reached !== null) this.#fillFromCrowd(reached, top)
    return true
  }

  /**
   * Returns whether the crowd fills all of a resting order that it reaches. An order of ours on the crowd's side at such a
   * price is the first there, since the crowd was beyond it until now.
   */
  #fillsFromCrowd({ order, price, remaining }: LiveOrder, top: QuoteTick): boolean {
    const side = oppositeOf(order.terms.side)
    if (this.holdings.maxFill(order.terms, remaining) < remaining) return false
    const last = lastLevelTaken(top, side, remaining)
    return last !== null && !isBeyond(side, last, price)
  }

  #fillFromCrowd(mine: LiveOrder, top: QuoteTick): void {
    const { order, price, remaining } = mine
    if (price === null) return
    const side = oppositeOf(order.terms.side)
    this.#book.remove(order.orderId)
    this.#noteTaken(side, remaining)
    for (let level = 0; mine.remaining > 0; level++) {
      const lots = Math.min(mine.remaining, depthSize(top, side, level))
      this.#fill(mine, quantity(lots), price, 'MAKER')
    }
  }

  /** Fast path for a trade that reaches none of our orders, or one of them and not the crowd. */
  #meetTrade(tick: TradeTick, top: QuoteTick): boolean {
    let reached: LiveOrder | null = null
    for (const mine of this.#live.values()) {
      if (!isReachedByTrade(mine, tick.aggressor, tick.price)) continue
      if (reached !== null) return false
      reached = mine
    }
    const isCrowdSafe = isInSpread(top, tick.aggressor, tick.price)
    if (reached !== null) return isCrowdSafe && this.#fillAlone(reached, tick.size)
    if (!isCrowdSafe) this.#pendingTrades.push(tick)
    return true
  }

  /** Fills a resting order that has nobody before it; returns false if it may not fill. */
  #fillAlone(mine: LiveOrder, size: number): boolean {
    const { order, price, remaining } = mine
    const lots = Math.min(size, remaining)
    if (price === null || this.holdings.maxFill(order.terms, lots) < lots) return false
    if (lots === remaining) this.#book.remove(order.orderId)
    else this.#book.shrink(order.orderId, quantity(remaining - lots))
    this.#fill(mine, quantity(lots), price, 'MAKER')
    return true
  }

  #refreshCrowd(): void {
    if (this.#top === null) return
    if (!this.#isCrowdCurrent) this.#enterCrowd(this.#top)
    if (this.#pendingTrades.length === 0) return
    const trades = this.#pendingTrades
    this.#pendingTrades = []
    for (const { aggressor, size, price } of trades) this.#fillResting(aggressor, size, price)
  }

  #enterCrowd(top: QuoteTick): void {
    this.#isCrowdCurrent = true
    const bids = depthOf(top, 'BUY')
    this.#book.setCrowd('BUY', bids)
    this.#book.setCrowd('SELL', this.#matchNewLevels('SELL', depthOf(top, 'SELL')))
    this.#book.setCrowd('BUY', this.#matchNewLevels('BUY', bids))
    this.#removeTaken('SELL')
    this.#removeTaken('BUY')
  }

  #removeTaken(side: Side): void {
    const lots = this.#taken[oppositeOf(side)]
    if (lots > 0) this.#book.take({ side, quantity: lots, limit: null, sparesOwn: true })
  }

  /** New prices of the crowd first match our orders in their way. */
  #matchNewLevels(side: Side, levels: readonly DepthLevel[]): DepthLevel[] {
    return levels.map(({ price, size }) => {
      return { price, size: quantity(size - this.#fillResting(side, size, price)) }
    })
  }

  /** Matches the crowd with resting orders; what an order may not fill goes to those behind it. */
  #fillResting(side: Side, lots: number, limit: Price): number {
    const matches = this.#book.take({ side, quantity: lots, limit, sparesOwn: false })
    let [given, withheld] = [0, 0]
    for (const match of matches) {
      const unsettled = this.#settle(match)
      given += match.quantity - unsettled
      withheld += unsettled
    }
    return withheld === 0 ? given : given + this.#fillResting(side, withheld, limit)
  }

  /** Fills our matched orders; returns the quantity that may not fill for lack of a position. */
  #settle({ owner, quantity: lots, price }: Match): number {
    const mine = owner === null ? undefined : this.#live.get(owner)
    if (mine === undefined) return 0
    const most = this.holdings.maxFill(mine.order.terms, lots)
    if (most > 0) this.#fill(mine, quantity(most), price, 'MAKER')
    if (most < lots) this.#endOrder(mine, nothingLeftFor(mine))
    return lots - most
  }

  #fill(mine: LiveOrder, lots: Quantity, price: Price, liquidity: Liquidity): void {
    const { orderId } = mine.order
    mine.remaining = quantity(mine.remaining - lots)
    mine.filled += lots
    this.holdings.addFill(mine.order.terms, lots)
    mine.fills += 1
    if (mine.remaining === 0) this.#live.delete(orderId)
    const fee = feeOn(this.#instrument, notionalOf(this.#instrument, price, lots), liquidity)
    this.#report({ type: 'filled', orderId, fill: mine.fills, quantity: lots, price, liquidity, fee })
  }

  /** Triggers, matches or rests an order as far as it can now. */
  #work(mine: LiveOrder): void {
    const { orderId, terms, isTriggered } = mine.order
    if (this.#top === null) this.#restWithoutQuote(mine)
    else if (terms.type !== 'STOP' || isTriggered) this.#take(mine)
    else if (isReached(mine, this.#top)) {
      this.#report({ type: 'triggered', orderId })
      this.#take(mine)
    } else mine.place = 'trigger'
  }

  /** Without a quote, an order that can rest does, so that it keeps its price after a restart. */
  #restWithoutQuote(mine: LiveOrder): void {
    const { orderId, terms } = mine.order
    const canRest = terms.type === 'LIMIT' && terms.timeInForce === 'GTC' && mine.price !== null
    mine.place = canRest ? 'book' : 'quote'
    if (canRest && mine.price !== null) this.#book.rest(orderId, terms.side, mine.price, mine.remaining)
  }

  /** Matches what can be matched at once; the rest waits or is cancelled by its time in force. */
  #take(mine: LiveOrder): void {
    if (this.#top !== null && this.#meetsCrowdAlone(mine)) {
      this.#takeFromCrowd(mine, this.#top)
      return
    }
    if (this.#top !== null && this.#staysAway(mine, this.#top)) {
      this.#restOrCancel(mine, mine.price)
      return
    }
    this.#refreshCrowd()
    const { terms } = mine.order
    const limit = terms.type === 'LIMIT' ? mine.price : null
    const most = this.holdings.maxFill(terms, mine.remaining)
    const taking = { side: terms.side, quantity: most, limit, sparesOwn: true }
    const isAllOrNothing = terms.timeInForce === 'FOK'
    if (!isAllOrNothing || lotsOf(this.#book.peek(taking)) >= mine.remaining) {
      for (const match of merged(this.#book.take(taking)))
        this.#fill(mine, match.quantity, match.price, 'TAKER')
    }
    if (mine.remaining === 0) return
    this.#restOrCancel(mine, limit)
  }

  /** Fast path for an order that cannot rest while none of ours does: the crowd is matched outside the book. */
  #meetsCrowdAlone({ order }: LiveOrder): boolean {
    const { type, timeInForce } = order.terms
    const isUntouched = !this.#isCrowdCurrent && this.#pendingTrades.length === 0
    return isUntouched && this.#live.size === 1 && (type !== 'LIMIT' || timeInForce !== 'GTC')
  }

  /** Fast path for an order that meets nobody: only the queue that it joins must be that of the quote. */
  #staysAway({ order, price }: LiveOrder, top: QuoteTick): boolean {
    const { type, timeInForce, side } = order.terms
    if (type !== 'LIMIT' || timeInForce !== 'GTC' || price === null) return false
    if (side === 'BUY' ? price >= top.ask : price <= top.bid) return false
    if (this.#pendingTrades.length > 0) return false
    if (this.#isCrowdCurrent) return true
    const taken = side === 'BUY' ? this.#taken.BUY : this.#taken.SELL
    if (taken > 0) {
      const last = lastLevelTaken(top, side, taken)
      if (last === null || !isBeyond(side, price, last)) return false
    }
    this.#book.setCrowdAt(side, price, crowdAt(top, side, price))
    return true
  }

  #takeFromCrowd(mine: LiveOrder, top: QuoteTick): void {
    const side = oppositeOf(mine.order.terms.side)
    const limit = mine.order.terms.type === 'LIMIT' ? mine.price : null
    let most = this.holdings.maxFill(mine.order.terms, mine.remaining)
    const isAllOrNothing = mine.order.terms.timeInForce === 'FOK'
    if (isAllOrNothing && Math.min(most, this.#crowdLots(top, side, limit)) < mine.remaining) {
      this.#restOrCancel(mine, null)
      return
    }
    let before = side === 'BUY' ? this.#taken.BUY : this.#taken.SELL
    for (let level = 0; level < DEPTH_LEVELS && most > 0; level++) {
      const ticks = depthPrice(top, side, level)
      if (ticks < 1 || isBeyond(side, ticks, limit)) break
      const size = depthSize(top, side, level)
      const lots = Math.min(most, Math.max(0, size - before))
      before = Math.max(0, before - size)
      if (lots === 0) continue
      most -= lots
      this.#noteTaken(side, lots)
      this.#fill(mine, quantity(lots), ticksOf(ticks), 'TAKER')
    }
    if (mine.remaining > 0) this.#restOrCancel(mine, null)
  }

  #noteTaken(side: Side, lots: number): void {
    if (side === 'BUY') this.#taken.BUY += lots
    else this.#taken.SELL += lots
  }

  /** Returns the lots of the crowd up to a limit, without those taken since the quote. */
  #crowdLots(top: QuoteTick, side: Side, limit: Price | null): number {
    let taken = side === 'BUY' ? this.#taken.BUY : this.#taken.SELL
    let lots = 0
    for (let level = 0; level < DEPTH_LEVELS; level++) {
      const ticks = depthPrice(top, side, level)
      if (ticks < 1 || isBeyond(side, ticks, limit)) break
      const size = depthSize(top, side, level)
      lots += Math.max(0, size - taken)
      taken = Math.max(0, taken - size)
    }
    return lots
  }

  /** The unmatched rest enters the book or is cancelled. */
  #restOrCancel(mine: LiveOrder, limit: Price | null): void {
    const { orderId, terms } = mine.order
    if (this.holdings.maxFill(terms, mine.remaining) === 0) {
      this.#endOrder(mine, nothingLeftFor(mine))
      return
    }
    if (limit !== null && terms.timeInForce === 'GTC') {
      mine.place = 'book'
      this.#book.rest(orderId, terms.side, limit, mine.remaining)
      return
    }
    const timeInForce = terms.timeInForce === 'FOK' ? 'FOK' : 'IOC'
    this.#endOrder(mine, { code: 'cancel.remainder', timeInForce })
  }

  #endOrder(mine: LiveOrder, cause: CancelCause): void {
    const { orderId } = mine.order
    this.#book.remove(orderId)
    this.#live.delete(orderId)
    this.#report({ type: 'cancelled', orderId, cause })
  }
}

/** Why an order may not fill any more: it only reduces, or it sells spot that is not held. */
function nothingLeftFor({ order }: LiveOrder): CancelCause {
  return { code: order.terms.reduceOnly ? 'cancel.nothing-to-reduce' : 'cancel.nothing-to-sell' }
}

function isReached({ order, price }: LiveOrder, top: QuoteTick): boolean {
  return price === null || isStopReached(order.terms.side, price, top)
}

function isReachedByTrade({ place, price, order }: LiveOrder, aggressor: Side, limit: number): boolean {
  if (place !== 'book' || price === null || order.terms.side === aggressor) return false
  return aggressor === 'BUY' ? price <= limit : price >= limit
}

/** Returns whether a trade is at a price that the crowd of a quote does not have. */
function isInSpread(top: QuoteTick, aggressor: Side, ticks: number): boolean {
  return aggressor === 'BUY' ? ticks < top.ask : ticks > top.bid
}

/** Returns the price of the last level that so many lots take from the crowd, or null if it has fewer. */
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

/** Returns whether a price of the crowd is worse than a limit; null has none. */
function isBeyond(side: Side, ticks: number, limit: number | null): boolean {
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
      fills[fills.length - 1] = { ...last, quantity: quantity(last.quantity + match.quantity) }
    } else fills.push(match)
  }
  return fills
}

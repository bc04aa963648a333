import type { OrderReport } from '#input.ts'
import { DEPTH_LEVELS, type DepthLevel, depthOf, depthPrice, depthSize } from '#market/depth.ts'
import { feeOn, type Instrument, type Liquidity, notionalOf } from '#market/instrument.ts'
import { createOrderBook, type Match } from '#market/order-book.ts'
import { oppositeOf, type QuoteTick, type Side, type TradeTick } from '#market/tick.ts'
import type { CancelCause, StopPastMarket, VenueRejection } from '#orders/reasons.ts'
import { describeStop, isStopReached } from '#orders/stop.ts'
import type { Approved, VenueChange, VenueOrder } from '#risk/gate.ts'
import type { OrderId } from '#values/ids.ts'
import { type Price, price as ticksOf } from '#values/price.ts'
import { type Quantity, quantity } from '#values/quantity.ts'
import { ShortMap } from '#values/short-map.ts'
import { VenueHoldings } from './venue-holdings.ts'

/** What is said of an order. */
export type Say = (report: OrderReport) => void

interface Live {
  readonly order: VenueOrder
  price: Price | null
  remaining: Quantity
  filled: number
  fills: number
  /** The number of the last change that it was told. */
  changes: number
  /** Where it is: in the book, waiting for its trigger, or for the first quote. */
  place: 'book' | 'trigger' | 'quote'
}

const NOTHING_TO_REDUCE: CancelCause = { code: 'cancel.nothing-to-reduce' }

/** One instrument at a simulated venue: the crowd's book with our orders in it. Outcomes are told through `say`. */
export class VenueBook {
  readonly holdings = new VenueHoldings()
  readonly #instrument: Instrument
  readonly #say: Say
  readonly #book = createOrderBook()
  readonly #live = new ShortMap<OrderId, Live>()
  #top: QuoteTick | null = null
  /** The crowd is brought into the book only when an order of ours can meet it. */
  #isFresh = false
  /** What of the crowd was taken since the quote without bringing it into the book. */
  readonly #taken: Record<Side, number> = { BUY: 0, SELL: 0 }

  constructor(instrument: Instrument, say: Say) {
    this.#instrument = instrument
    this.#say = say
  }

  submit(order: Approved<VenueOrder>): void {
    const { orderId, price, filled, fills } = order
    const isPast = !order.isTaken && this.#wouldFire(order, price)
    if (isPast) {
      this.#say({ type: 'rejected', orderId, reason: isPast })
      return
    }
    const mine: Live = { order, price, remaining: order.quantity, filled, fills, changes: 0, place: 'quote' }
    this.#live.add(orderId, mine)
    // A market order that meets a market is answered by what becomes of it: a fill says that it was accepted.
    const isAnsweredByOutcome = order.terms.type === 'MARKET' && this.#top !== null
    if (!isAnsweredByOutcome) this.#say({ type: 'accepted', orderId })
    this.#work(mine)
  }

  change({ orderId, number: change, quantity: wanted, price }: Approved<VenueChange>): void {
    const mine = this.#live.get(orderId)
    if (mine !== undefined && this.#isToldAgain(mine, change)) return
    const isLate = mine === undefined || wanted <= mine.filled
    const isPast = mine !== undefined && price !== mine.price && this.#wouldFire(mine.order, price)
    if (isLate || isPast) {
      const reason: VenueRejection = isPast || { code: 'venue.refused', message: 'too late' }
      this.#say({ type: 'changeRejected', orderId, change, reason })
      return
    }
    const keepsPlace = price === mine.price && wanted - mine.filled <= mine.remaining
    mine.remaining = quantity(wanted - mine.filled)
    mine.price = price
    this.#say({ type: 'changed', orderId, change, quantity: wanted, price })
    if (keepsPlace) {
      this.#book.shrink(orderId, mine.remaining)
      return
    }
    this.#book.remove(orderId)
    this.#work(mine)
  }

  cancel(id: OrderId, cause: CancelCause): void {
    const mine = this.#live.get(id)
    if (mine) this.#drop(mine, cause)
  }

  cancelAll(cause: CancelCause): void {
    for (const mine of [...this.#live.values()]) this.#drop(mine, cause)
  }

  quote(tick: QuoteTick): void {
    this.#top = tick
    this.#isFresh = false
    this.#taken.BUY = this.#taken.SELL = 0
    if (this.#live.size === 0) return
    this.#freshen()
    for (const mine of [...this.#live.values()]) if (mine.place !== 'book') this.#work(mine)
  }

  trade({ aggressor: side, size, price: limit }: TradeTick): void {
    if (this.#live.size === 0) return
    this.#freshen()
    this.#giveTo(side, size, limit)
  }

  /** As after a halt: the answer is on its way to the desk. */
  #isToldAgain(mine: Live, change: number): boolean {
    if (change <= mine.changes) return true
    mine.changes = change
    return false
  }

  /** A stop must wait for its price; one that could not is told what the price is. */
  #wouldFire({ terms }: VenueOrder, stop: Price | null): StopPastMarket | false {
    const { type, side } = terms
    if (type !== 'STOP' || stop === null || this.#top === null) return false
    return isStopReached(side, stop, this.#top) && describeStop(this.#instrument, side, stop, this.#top)
  }

  #freshen(): void {
    if (this.#top === null || this.#isFresh) return
    this.#isFresh = true
    const bids = depthOf(this.#top, 'BUY')
    this.#book.setCrowd('BUY', bids)
    this.#book.setCrowd('SELL', this.#arrive('SELL', depthOf(this.#top, 'SELL')))
    this.#book.setCrowd('BUY', this.#arrive('BUY', bids))
    this.#takeAgain('SELL')
    this.#takeAgain('BUY')
  }

  #takeAgain(side: Side): void {
    const lots = this.#taken[oppositeOf(side)]
    if (lots > 0) this.#book.take({ side, quantity: lots, limit: null, sparesOwn: true })
  }

  /** The crowd comes with new prices and first takes what of ours is in its way. */
  #arrive(side: Side, levels: readonly DepthLevel[]): DepthLevel[] {
    return levels.map(({ price, size }) => {
      return { price, size: quantity(size - this.#giveTo(side, size, price)) }
    })
  }

  /** Gives the crowd what rests in its way; what an order of ours may not give is asked of those behind it. */
  #giveTo(side: Side, lots: number, limit: Price): number {
    const matches = this.#book.take({ side, quantity: lots, limit, sparesOwn: false })
    let [given, withheld] = [0, 0]
    for (const match of matches) {
      const kept = this.#settle(match)
      given += match.quantity - kept
      withheld += kept
    }
    return withheld === 0 ? given : given + this.#giveTo(side, withheld, limit)
  }

  /** Fills what was matched of ours, and returns what of it may not fill because it would not reduce. */
  #settle({ owner, quantity: lots, price }: Match): number {
    const mine = owner === null ? undefined : this.#live.get(owner)
    if (mine === undefined) return 0
    const most = this.holdings.mostOf(mine.order.terms, lots)
    if (most > 0) this.#fill(mine, quantity(most), price, 'MAKER')
    if (most < lots) this.#drop(mine, NOTHING_TO_REDUCE)
    return lots - most
  }

  #fill(mine: Live, lots: Quantity, price: Price, liquidity: Liquidity): void {
    const { orderId } = mine.order
    mine.remaining = quantity(mine.remaining - lots)
    mine.filled += lots
    this.holdings.noteFill(mine.order.terms, lots)
    mine.fills += 1
    if (mine.remaining === 0) this.#live.delete(orderId)
    const fee = feeOn(this.#instrument, notionalOf(this.#instrument, price, lots), liquidity)
    this.#say({ type: 'filled', orderId, fill: mine.fills, quantity: lots, price, liquidity, fee })
  }

  /** Lets an order do what it can do now. */
  #work(mine: Live): void {
    const { orderId, terms, isTriggered } = mine.order
    if (this.#top === null) this.#await(mine)
    else if (terms.type !== 'STOP' || isTriggered) this.#take(mine)
    else if (isReached(mine, this.#top)) {
      this.#say({ type: 'triggered', orderId })
      this.#take(mine)
    } else mine.place = 'trigger'
  }

  /** Without a market yet, what can rest does, so that after a restart an order keeps the price it asked for. */
  #await(mine: Live): void {
    const { orderId, terms } = mine.order
    const canRest = terms.type === 'LIMIT' && terms.timeInForce === 'GTC' && mine.price !== null
    mine.place = canRest ? 'book' : 'quote'
    if (canRest && mine.price !== null) this.#book.rest(orderId, terms.side, mine.price, mine.remaining)
  }

  /** Trades at once what can be traded at once; the rest waits or is taken back, as its time in force says. */
  #take(mine: Live): void {
    if (this.#top !== null && this.#meetsCrowdAlone(mine)) {
      this.#takeFromCrowd(mine, this.#top)
      return
    }
    this.#freshen()
    const { terms } = mine.order
    const limit = terms.type === 'LIMIT' ? mine.price : null
    const most = this.holdings.mostOf(terms, mine.remaining)
    const taking = { side: terms.side, quantity: most, limit, sparesOwn: true }
    const isAllOrNothing = terms.timeInForce === 'FOK'
    if (!isAllOrNothing || this.#book.available(taking) >= mine.remaining) {
      for (const match of merged(this.#book.take(taking)))
        this.#fill(mine, match.quantity, match.price, 'TAKER')
    }
    if (mine.remaining === 0) return
    this.#leave(mine, limit)
  }

  /** An order that cannot rest, with none of ours about: the crowd is met without being brought into the book. */
  #meetsCrowdAlone({ order }: Live): boolean {
    return !this.#isFresh && order.terms.type !== 'LIMIT' && this.#live.size === 1
  }

  #takeFromCrowd(mine: Live, top: QuoteTick): void {
    const side = oppositeOf(mine.order.terms.side)
    let most = this.holdings.mostOf(mine.order.terms, mine.remaining)
    const available = Math.min(most, this.#crowdLots(top, side))
    if (mine.order.terms.timeInForce === 'FOK' && available < mine.remaining) {
      this.#leave(mine, null)
      return
    }
    let before = side === 'BUY' ? this.#taken.BUY : this.#taken.SELL
    for (let level = 0; level < DEPTH_LEVELS && most > 0; level++) {
      const ticks = depthPrice(top, side, level)
      if (ticks < 1) break
      const size = depthSize(top, side, level)
      const lots = Math.min(most, Math.max(0, size - before))
      before = Math.max(0, before - size)
      if (lots === 0) continue
      most -= lots
      this.#noteTaken(side, lots)
      this.#fill(mine, quantity(lots), ticksOf(ticks), 'TAKER')
    }
    if (mine.remaining > 0) this.#leave(mine, null)
  }

  #noteTaken(side: Side, lots: number): void {
    if (side === 'BUY') this.#taken.BUY += lots
    else this.#taken.SELL += lots
  }

  #crowdLots(top: QuoteTick, side: Side): number {
    return depthOf(top, side).reduce((sum, { size }) => sum + size, 0) - this.#taken[side]
  }

  /** What could not be traded at once rests, or is taken back. */
  #leave(mine: Live, limit: Price | null): void {
    const { orderId, terms } = mine.order
    if (this.holdings.mostOf(terms, mine.remaining) === 0) {
      this.#drop(mine, NOTHING_TO_REDUCE)
      return
    }
    if (limit !== null && terms.timeInForce === 'GTC') {
      mine.place = 'book'
      this.#book.rest(orderId, terms.side, limit, mine.remaining)
      return
    }
    const timeInForce = terms.timeInForce === 'FOK' ? 'FOK' : 'IOC'
    this.#drop(mine, { code: 'cancel.remainder', timeInForce })
  }

  #drop(mine: Live, cause: CancelCause): void {
    const { orderId } = mine.order
    this.#book.remove(orderId)
    this.#live.delete(orderId)
    this.#say({ type: 'cancelled', orderId, cause })
  }
}

function isReached({ order, price }: Live, top: QuoteTick): boolean {
  return price === null || isStopReached(order.terms.side, price, top)
}

/** One fill per price, however many of the crowd stood there. */
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

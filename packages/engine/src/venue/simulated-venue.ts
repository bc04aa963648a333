import type { Instruments } from '#market/instruments.ts'
import type { TimerFired, VenueHoldingsReport, VenueReport } from '#model/input.ts'
import type { Instrument, VenueId } from '#model/instrument.ts'
import type { OrderTerms } from '#model/order.ts'
import type { MarketTick, Side } from '#model/tick.ts'
import { type Approved, isApproved, type VenueOrder } from '#risk/gate.ts'
import { assert } from '#values/bug.ts'
import type { InstrumentId } from '#values/ids.ts'
import { type Instant, instantFromMs } from '#values/instant.ts'
import { priceFromTicks } from '#values/price.ts'
import { netQuantityFromLots } from '#values/quantity.ts'
import { DelayLine } from './delay-line.ts'
import { type Latency, NO_LATENCY } from './latency.ts'
import type { DeliverReports, ExpectedFill, Venue, VenueRequest } from './venue.ts'
import { VenueBook } from './venue-book.ts'

export interface SimulatedVenueOptions {
  instruments: Instruments
  latency?: Latency
  /** What longs pay shorts every eight hours, in units of 10⁻⁸ of the position's value. */
  fundingRateE8?: (instrument: Instrument) => number
}

export const FUNDING_EVERY_MS = 8 * 3_600_000
const DEFAULT_FUNDING_E8 = 10_000

export interface SimulatedVenue extends Venue {
  /** Returns whether no message is in transit in either direction. */
  isIdle(): boolean
  /** Returns whether a trade at a price may change an order book in which an order of ours works. */
  isTradeRelevant(index: number, ticks: number, aggressor: Side): boolean
  /** Returns our working orders and positions there. */
  holdings(): VenueHoldingsReport
}

/** Creates the simulated venues of the given instruments as one port: order books that follow the feed, with latency each way. */
export function createSimulatedVenue(options: SimulatedVenueOptions): SimulatedVenue {
  return new OrderBookVenue(options)
}

class OrderBookVenue implements SimulatedVenue {
  readonly #instruments: Instruments
  readonly #fundingRateE8: (instrument: Instrument) => number
  readonly #connected = new Set<VenueId>()
  /** By instrument index. */
  readonly #books: readonly VenueBook[]
  readonly #messages: DelayLine<VenueRequest>
  readonly #reports: DelayLine<VenueReport>
  readonly #hasPerpetuals: boolean
  #now = instantFromMs(0)
  /** The next time that funding is due. */
  #fundingAt = 0
  /** Orders arrive in the order of their numbers. */
  #lastNumber = 0
  #deliver: DeliverReports = () => {}

  constructor({
    instruments,
    latency = NO_LATENCY,
    fundingRateE8 = () => DEFAULT_FUNDING_E8,
  }: SimulatedVenueOptions) {
    this.#instruments = instruments
    this.#fundingRateE8 = fundingRateE8
    this.#hasPerpetuals = instruments.all.some(({ kind }) => kind === 'PERPETUAL')
    this.#messages = new DelayLine(latency.outboundMs, (messages) => {
      for (const message of messages) this.#receive(message)
    })
    this.#reports = new DelayLine(latency.inboundMs, (reports, at) => this.#deliver(reports, at))
    const report = (each: VenueReport) => this.#report(each)
    this.#books = instruments.all.map((instrument) => new VenueBook(instrument, report))
  }

  onReports(deliver: DeliverReports): void {
    this.#deliver = deliver
  }

  isIdle(): boolean {
    return this.#messages.isEmpty() && this.#reports.isEmpty()
  }

  isTradeRelevant(index: number, ticks: number, aggressor: Side): boolean {
    return this.#books[index]?.isTradeRelevant(ticks, aggressor) ?? false
  }

  holdings(): VenueHoldingsReport {
    return {
      orders: this.#books.flatMap((book, index) => {
        const instrument = this.#idAt(index)
        return book.orderIds().map((orderId) => ({ orderId, instrument }))
      }),
      positions: this.#books.flatMap((book, index) => {
        const instrument = this.#idAt(index)
        return [...book.holdings.open()].map(([strategy, lots]) => ({
          strategy,
          instrument,
          lots: netQuantityFromLots(lots),
        }))
      }),
    }
  }

  send(message: VenueRequest, at: Instant): void {
    this.#advance(at)
    this.#messages.put(message, this.#now)
  }

  observe(input: MarketTick | TimerFired): void {
    this.#advance(input.at)
    this.#messages.release(this.#now)
    if (input.kind === 'tick') this.#applyTick(input)
    this.#reports.release(this.#now)
  }

  estimate(terms: OrderTerms): readonly ExpectedFill[] | null {
    return this.#bookOf(terms.instrument)?.estimate(terms) ?? null
  }

  /** Charges the funding that is due, before anything that arrives now; the first time seen passes no settlement. */
  #advance(at: Instant): void {
    if (at <= this.#now) return
    const isFirst = this.#now === 0
    this.#now = at
    if (at < this.#fundingAt) return
    const settledAt = instantFromMs(at - (at % FUNDING_EVERY_MS))
    this.#fundingAt = settledAt + FUNDING_EVERY_MS
    if (this.#hasPerpetuals && !isFirst) this.#chargeFunding(settledAt)
  }

  #applyTick(tick: MarketTick): void {
    const index = this.#instruments.indexOf(tick.instrument)
    if (tick.type === 'quote') this.#books[index]?.quote(tick)
    else if (tick.type === 'trade') this.#books[index]?.trade(tick)
  }

  #idAt(index: number): InstrumentId {
    const instrument = this.#instruments.all[index]
    assert(instrument !== undefined, 'no instrument', index)
    return instrument.id
  }

  #bookOf(id: InstrumentId): VenueBook | undefined {
    return this.#books[this.#instruments.indexOf(id)]
  }

  #receive(message: VenueRequest): void {
    if (message.type === 'submit') this.#submit(message.order)
    else if (message.type === 'change') {
      this.#bookOf(message.change.terms.instrument)?.change(message.change)
    } else if (message.type === 'cancel') {
      this.#bookOf(message.instrument)?.cancel(message.orderId, message.cause)
    } else if (message.type === 'restore-position') {
      this.#bookOf(message.instrument)?.holdings.setInitial(message.strategy, message.lots)
    } else this.#connect(message.venue, message.type === 'connect')
  }

  #submit(order: Approved<VenueOrder>): void {
    const { orderId, terms, number } = order
    assert(isApproved(order), 'an order did not pass risk', orderId)
    // Resent after a halt: it is known, or its final report is in transit.
    if (number <= this.#lastNumber) return
    this.#lastNumber = number
    const { venue } = this.#instruments.get(terms.instrument)
    if (this.#connected.has(venue)) this.#bookOf(terms.instrument)?.submit(order)
    else this.#report({ type: 'rejected', orderId, reason: { code: 'venue.disconnected', venue } })
  }

  #connect(venue: VenueId, isWanted: boolean): void {
    if (isWanted) this.#connected.add(venue)
    else {
      this.#connected.delete(venue)
      const listed = this.#instruments.all.filter((instrument) => instrument.venue === venue)
      for (const { id } of listed) this.#bookOf(id)?.cancelAll({ code: 'cancel.venue-disconnected', venue })
    }
    const type = isWanted ? 'connected' : 'disconnected'
    this.#report({ type, venue })
  }

  #chargeFunding(settledAt: Instant): void {
    this.#instruments.all.forEach((instrument, index) => {
      const quote = this.#books[index]?.latestQuote ?? null
      if (instrument.kind !== 'PERPETUAL' || quote === null || !this.#connected.has(instrument.venue)) return
      const rateE8 = this.#fundingRateE8(instrument)
      const middle = priceFromTicks(Math.round((quote.bid + quote.ask) / 2))
      this.#report({ type: 'funding', instrument: instrument.id, rateE8, price: middle, settledAt })
    })
  }

  #report(report: VenueReport): void {
    this.#reports.put(report, this.#now)
  }
}

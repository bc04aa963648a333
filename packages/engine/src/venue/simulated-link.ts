import type { Instruments } from '#market/instruments.ts'
import type { TimerFired, VenueHoldingsReport, VenueReport } from '#model/input.ts'
import type { VenueId } from '#model/instrument.ts'
import type { OrderTerms } from '#model/order.ts'
import type { MarketTick } from '#model/tick.ts'
import type { InstrumentId } from '#values/ids.ts'
import { type Instant, instantFromMs } from '#values/instant.ts'
import {
  DEFAULT_LINK,
  type LinkNote,
  type LinkSettings,
  type LinkState,
  type LinkStatus,
  type TestStep,
} from './adapter.ts'
import { DelayLine } from './delay-line.ts'
import { type Latency, NO_LATENCY } from './latency.ts'
import { LatencyRecord, MessageRate } from './link-figures.ts'
import { type ProbeAnswer, runLinkTest } from './link-test.ts'
import { createSimulatedVenue, type SimulatedVenue } from './simulated-venue.ts'
import type { DeliverReports, ExpectedFill, VenueRequest } from './venue.ts'

export interface SimulatedLinkOptions {
  venue: VenueId
  /** Only those of the venue. */
  instruments: Instruments
  latency?: Latency
}

type ToVenue =
  /** One that a restart repeats needs no session: the venue had it before. */
  | { readonly kind: 'request'; readonly request: VenueRequest; readonly isRepeated: boolean }
  | { readonly kind: 'connect'; readonly attempt: number }
  | { readonly kind: 'probe'; readonly sentAt: Instant; readonly answer: (answer: ProbeAnswer) => void }

type FromVenue =
  | { readonly kind: 'report'; readonly report: VenueReport }
  | {
      readonly kind: 'connected'
      readonly attempt: number
      readonly refused: string | null
      readonly holdings: VenueHoldingsReport
    }
  | { readonly kind: 'closed' }
  | { readonly kind: 'probed'; readonly deliver: (at: Instant) => void }

const HEARTBEAT_MS = 2_000
const MAX_NOTES = 30
const CONNECTION_REFUSED = 'the connection was refused'
const KEY_REFUSED = 'the venue refused the key'

/**
 * The connection to one simulated venue, with latency each way. While it is lost the venue goes on: orders rest there and
 * fill, and their reports arrive in their order with the next connection.
 */
export class SimulatedLink {
  readonly #venue: VenueId
  readonly #instruments: Instruments
  readonly #inner: SimulatedVenue
  readonly #outbound: DelayLine<ToVenue>
  readonly #inbound: DelayLine<FromVenue>
  readonly #latency = new LatencyRecord()
  readonly #rate = new MessageRate()
  readonly #lastQuotes = new Map<InstrumentId, Instant>()
  #deliver: DeliverReports = () => {}
  #settings: LinkSettings = DEFAULT_LINK
  #state: LinkState = 'off'
  #isWanted = false
  /** Whether the venue has accepted this connection; what arrives without one is refused. */
  #hasSession = false
  /** Until time passes, requests are those that a restart repeats: the venue has them, whatever the connection. */
  #isRestarting = true
  #now = instantFromMs(0)
  #attemptId = 0
  #retryCount = 0
  #nextTryAt: Instant | null = null
  #lostAt: Instant | null = null
  #reconnects = 0
  #lastMessageAt: Instant | null = null
  #lastHeartbeatAt = instantFromMs(0)
  #skewMs: number | null = null
  /** The highest number of an order that was sent. */
  #lastNumber = 0
  #held: VenueReport[] = []
  #notes: LinkNote[] = []

  constructor({ venue, instruments, latency = NO_LATENCY }: SimulatedLinkOptions) {
    this.#venue = venue
    this.#instruments = instruments
    this.#inner = createSimulatedVenue({ instruments })
    this.#inner.onReports((reports, at) => {
      for (const report of reports) this.#answer(report, at)
    })
    const { outboundMs, inboundMs } = latency
    this.#outbound = new DelayLine(
      () => outboundMs() + this.#settings.faults.latencyMs,
      (messages, at) => {
        for (const message of messages) this.#arriveAtVenue(message, at)
      },
    )
    this.#inbound = new DelayLine(
      () => inboundMs() + this.#settings.faults.latencyMs,
      (messages, at) => this.#onMessages(messages, at),
    )
  }

  onReports(deliver: DeliverReports): void {
    this.#deliver = deliver
  }

  estimate(terms: OrderTerms): readonly ExpectedFill[] | null {
    return this.#inner.estimate(terms)
  }

  send(request: VenueRequest, at: Instant): void {
    this.#advanceClock(at)
    if ('venue' in request) this.#switch(request.type === 'connect')
    else if (request.type === 'restore-position') this.#inner.send(request, this.#now)
    else if (request.type === 'submit' && request.order.number <= this.#lastNumber) return
    else this.#sendOrder(request)
  }

  observe(input: MarketTick | TimerFired): void {
    this.#advanceClock(input.at)
    if (this.#isRestarting) this.#endRestart()
    this.#outbound.release(this.#now)
    this.#inner.observe(input)
    if (input.kind === 'tick') this.#recordQuoteTime(input)
    this.#inbound.release(this.#now)
    if (this.#nextTryAt !== null && this.#now >= this.#nextTryAt) this.#tryAgain()
    if (this.#state === 'connected' && this.#now - this.#lastHeartbeatAt >= HEARTBEAT_MS) this.#beat()
  }

  configure(settings: LinkSettings, at: Instant): void {
    this.#advanceClock(at)
    this.#settings = settings
    const isUp = this.#state === 'connected' || this.#state === 'connecting'
    if (settings.faults.isDropped && isUp) this.#onConnectionLost()
  }

  isListed(instrument: InstrumentId): boolean {
    return !this.#settings.faults.missing.includes(instrument)
  }

  status(at: Instant): LinkStatus {
    const now = instantFromMs(Math.max(this.#now, at))
    return {
      venue: this.#venue,
      mode: 'simulated',
      state: this.#state,
      tries: this.#retryCount,
      nextTryAt: this.#nextTryAt,
      reconnects: this.#reconnects,
      lastMessageAt: this.#lastMessageAt,
      messagesPerSecond: this.#rate.perSecond(now),
      skewMs: this.#skewMs,
      latency: this.#latency.figures(now),
      log: this.#notes,
    }
  }

  test(): Promise<readonly TestStep[]> {
    return runLinkTest({
      probe: () => new Promise((resolve) => this.#probe(resolve)),
      instruments: this.#instruments.all.map(({ id }) => id),
      quoteAges: () =>
        this.#state === 'connected'
          ? this.#instruments.all.map(({ id }) => ({ id, ageMs: this.#ageOf(id) }))
          : null,
    })
  }

  #advanceClock(at: Instant): void {
    this.#now = instantFromMs(Math.max(this.#now, at))
  }

  #switch(isWanted: boolean): void {
    this.#isWanted = isWanted
    if (isWanted) this.#switchOn()
    else this.#switchOff()
  }

  #switchOn(): void {
    if (this.#isRestarting) {
      this.#inner.send({ type: 'connect', venue: this.#venue }, this.#now)
      this.#state = 'connecting'
    } else if (this.#state === 'off') this.#connect()
  }

  #switchOff(): void {
    if (this.#state === 'connected' || this.#state === 'connecting') {
      this.#enqueue({ type: 'disconnect', venue: this.#venue })
    } else this.#onVenueClosed()
  }

  #sendOrder(
    request: Exclude<VenueRequest, { readonly venue: VenueId } | { readonly type: 'restore-position' }>,
  ): void {
    if (request.type === 'submit') this.#lastNumber = request.order.number
    const isUp = this.#state === 'connected' || this.#state === 'connecting'
    if (this.#isRestarting || isUp) this.#enqueue(request)
    else this.#refuse(request)
  }

  #enqueue(request: VenueRequest): void {
    this.#outbound.put({ kind: 'request', request, isRepeated: this.#isRestarting }, this.#now)
  }

  /** Connects after the repeated requests, so that the venue reports their orders as its own. */
  #endRestart(): void {
    this.#isRestarting = false
    if (this.#state === 'connecting') this.#connect()
  }

  /** What cannot be sent is refused here. Cancels are sent again by the desk with the next connection. */
  #refuse(request: VenueRequest): void {
    const reason = { code: 'venue.disconnected', venue: this.#venue } as const
    if (request.type === 'submit')
      this.#deliver([{ type: 'rejected', orderId: request.order.orderId, reason }], this.#now)
    else if (request.type === 'change') {
      const { orderId, number: change } = request.change
      this.#deliver([{ type: 'changeRejected', orderId, change, reason }], this.#now)
    }
  }

  #connect(): void {
    this.#state = 'connecting'
    this.#nextTryAt = null
    this.#attemptId += 1
    this.#outbound.put({ kind: 'connect', attempt: this.#attemptId }, this.#now)
  }

  #tryAgain(): void {
    this.#retryCount += 1
    this.#connect()
  }

  #arriveAtVenue(message: ToVenue, at: Instant): void {
    if (message.kind === 'request') {
      if (message.isRepeated) this.#inner.send(message.request, at)
      else this.#receive(message.request, at)
    } else if (message.kind === 'connect') {
      const refused = this.#findRefusal()
      this.#hasSession = refused === null
      if (this.#hasSession) this.#inner.send({ type: 'connect', venue: this.#venue }, at)
      const holdings = this.#inner.holdings()
      this.#inbound.put({ kind: 'connected', attempt: message.attempt, refused, holdings }, at)
    } else this.#answerProbe(message.sentAt, message.answer, at)
  }

  #receive(request: VenueRequest, at: Instant): void {
    if (!this.#hasSession) this.#refuse(request)
    else if (request.type === 'submit' && !this.isListed(request.order.terms.instrument)) {
      const { orderId, terms } = request.order
      const reason = { code: 'venue.refused', message: `${terms.instrument} is not listed` } as const
      this.#answer({ type: 'rejected', orderId, reason }, at)
    } else this.#inner.send(request, at)
  }

  #answerProbe(sentAt: Instant, answer: (given: ProbeAnswer) => void, at: Instant): void {
    const { faults } = this.#settings
    const venueTime = at + faults.clockSkewMs
    const listed = this.#instruments.all.map(({ id }) => id).filter((id) => this.isListed(id))
    const refused = faults.isDropped ? CONNECTION_REFUSED : null
    const deliver = (arrivedAt: Instant) =>
      answer({
        refused,
        isKeyRefused: faults.isKeyRefused,
        listed,
        skewMs: Math.round(venueTime - (sentAt + arrivedAt) / 2),
        ms: arrivedAt - sentAt,
      })
    this.#inbound.put({ kind: 'probed', deliver }, at)
  }

  #answer(report: VenueReport, at: Instant): void {
    if (report.type === 'connected') return
    this.#inbound.put(report.type === 'disconnected' ? { kind: 'closed' } : { kind: 'report', report }, at)
  }

  #onMessages(messages: readonly FromVenue[], at: Instant): void {
    const reports: VenueReport[] = []
    for (const message of messages) {
      if (message.kind === 'report') this.#acceptReport(message.report, at, reports)
      else if (message.kind === 'closed') reports.push(...this.#onVenueClosed())
      else if (message.kind === 'probed') message.deliver(at)
      else if (message.attempt === this.#attemptId && this.#state === 'connecting') {
        reports.push(
          ...(message.refused === null ? this.#open(message.holdings) : this.#fail(message.refused)),
        )
      }
    }
    if (reports.length > 0) this.#deliver(reports, at)
  }

  #acceptReport(report: VenueReport, at: Instant, reports: VenueReport[]): void {
    if (this.#state !== 'connected') {
      this.#held.push(report)
      return
    }
    this.#recordMessage(at)
    reports.push(report)
  }

  #open(holdings: VenueHoldingsReport): VenueReport[] {
    if (this.#lostAt !== null) {
      this.#reconnects += 1
      this.#note(`Reconnected after ${inSeconds(this.#now - this.#lostAt)}.`)
    } else this.#note('Connected.')
    this.#state = 'connected'
    this.#retryCount = 0
    this.#lostAt = null
    this.#recordMessage(this.#now)
    return [...this.#held.splice(0), { type: 'connected', venue: this.#venue, holdings }]
  }

  #fail(why: string): VenueReport[] {
    const waitMs = this.#scheduleRetry()
    const what = this.#retryCount === 0 ? 'Connecting failed' : `Try ${this.#retryCount} failed`
    this.#note(`${what}: ${why}. Next in ${inSeconds(waitMs)}.`)
    return [{ type: 'disconnected', venue: this.#venue }]
  }

  #onConnectionLost(): void {
    this.#hasSession = false
    if (!this.#isWanted) {
      this.#deliver(this.#onVenueClosed(), this.#now)
      return
    }
    this.#retryCount = 0
    const waitMs = this.#scheduleRetry()
    this.#note(`Connection lost: the venue closed it. Next try in ${inSeconds(waitMs)}.`)
    this.#deliver([{ type: 'disconnected', venue: this.#venue }], this.#now)
  }

  /** Schedules the next try, twice as late after each one, and returns the delay. */
  #scheduleRetry(): number {
    const { reconnectAfterMs, reconnectMaxMs } = this.#settings
    const waitMs = Math.min(reconnectMaxMs, reconnectAfterMs * 2 ** Math.min(this.#retryCount, 20))
    this.#state = 'waiting'
    this.#lostAt ??= this.#now
    this.#nextTryAt = instantFromMs(this.#now + waitMs)
    return waitMs
  }

  #onVenueClosed(): VenueReport[] {
    // Switched on again meanwhile: the venue has closed, so it is connected again.
    if (this.#isWanted) {
      this.#connect()
      return []
    }
    if (this.#state !== 'off') this.#note('Disconnected.')
    this.#state = 'off'
    this.#nextTryAt = null
    this.#lostAt = null
    this.#retryCount = 0
    return [{ type: 'disconnected', venue: this.#venue }]
  }

  #findRefusal(): string | null {
    const { isDropped, isKeyRefused } = this.#settings.faults
    if (isDropped) return CONNECTION_REFUSED
    return isKeyRefused ? KEY_REFUSED : null
  }

  #beat(): void {
    this.#lastHeartbeatAt = this.#now
    this.#probe(({ ms, skewMs, refused }) => {
      if (refused !== null || this.#state !== 'connected') return
      this.#latency.add(this.#now, ms)
      this.#skewMs = skewMs
      this.#recordMessage(this.#now)
    })
  }

  /** By a callback: a heartbeat is recorded in the step in which its answer arrives. */
  #probe(answer: (given: ProbeAnswer) => void): void {
    this.#outbound.put({ kind: 'probe', sentAt: this.#now, answer }, this.#now)
  }

  #recordQuoteTime({ type, instrument, at }: MarketTick): void {
    if (this.#state !== 'connected') return
    if (type === 'quote') this.#lastQuotes.set(instrument, at)
    this.#recordMessage(at)
  }

  #recordMessage(at: Instant): void {
    this.#lastMessageAt = at
    this.#rate.add(at)
  }

  #ageOf(instrument: InstrumentId): number | null {
    const at = this.#lastQuotes.get(instrument)
    return at === undefined ? null : this.#now - at
  }

  #note(text: string): void {
    this.#notes = [{ at: this.#now, text }, ...this.#notes].slice(0, MAX_NOTES)
  }
}

function inSeconds(ms: number): string {
  return `${Math.round(ms / 100) / 10} s`
}

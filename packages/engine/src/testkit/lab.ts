import { createEngine, type Engine } from '#engine.ts'
import { type Instruments, standardInstruments } from '#market/instruments.ts'
import type { Event } from '#model/event.ts'
import type { Command, Input, PlaceOrder, VenueReport, VenueReports } from '#model/input.ts'
import type { JournalEntry } from '#model/journal-entry.ts'
import type { Order } from '#model/order.ts'
import type { OrderPreview } from '#orders/preview.ts'
import type { HardState } from '#state/hard-state.ts'
import { findOrder } from '#state/order-register.ts'
import type { CommandAnswer, StepResult } from '#step/step-core.ts'
import type { StrategyKind } from '#strategies/strategy.ts'
import { assert } from '#values/bug.ts'
import type { OrderId, StrategyId } from '#values/ids.ts'
import { type Instant, instantFromMs } from '#values/instant.ts'
import type { Latency } from '#venue/latency.ts'
import { createSimulatedVenue } from '#venue/simulated-venue.ts'
import type { Venue, VenueRequest } from '#venue/venue.ts'
import { anOpenDesk, anOrder, aQuote, aTrade, type QuoteGiven, START, type TradeGiven } from './builders.ts'

/** An engine with a simulated venue in one synchronous loop and a manual clock. */
export interface Lab {
  readonly engine: Engine
  readonly state: HardState
  readonly instruments: Instruments
  readonly entries: readonly JournalEntry[]
  readonly events: readonly Event[]
  readonly now: Instant
  /** Processes an input and everything that follows from it. */
  process(input: Input): StepResult
  run(command: Command): CommandAnswer
  /** Previews a well-formed order. */
  preview(order: Partial<PlaceOrder>): OrderPreview
  /** Places a well-formed order and returns it. */
  place(order: Partial<PlaceOrder>): Order
  order(id: OrderId): Order
  /** Delivers reports that the simulated venue does not send. */
  receive(...reports: readonly VenueReport[]): StepResult
  quote(quote: QuoteGiven): void
  trade(trade: TradeGiven): void
  /** Advances time and fires the timer once at its end. */
  wait(ms: number): void
  /** Adds a valid strategy and starts it. */
  runStrategy(type: string, config?: Readonly<Record<string, unknown>>): StrategyId
  /** Repeats the requests of a restart. */
  resendToVenues(): void
  /** Returns the events that the action emits. */
  watch(action: () => void): readonly Event[]
}

export interface LabOptions {
  readonly opening?: Partial<Extract<Command, { type: 'OpenDesk' }>>
  readonly instruments?: Instruments
  readonly latency?: Latency
  /** The simulated venue unless given. */
  readonly venue?: Venue
  readonly state?: HardState
  readonly staleAfterMs?: number
  readonly at?: Instant
  readonly kinds?: readonly StrategyKind[]
  /** The instrument of orders, quotes and trades that name none; BTCUSDT if left out. */
  readonly traded?: string
}

const STANDARD = standardInstruments()

/** Creates a lab with an open desk, or with the given state. */
export function createLab(options: LabOptions = {}): Lab {
  const lab = new OneLab(options)
  if (options.state) lab.resendToVenues()
  else lab.run(anOpenDesk(options.opening))
  return lab
}

class OneLab implements Lab {
  readonly instruments: Instruments
  readonly engine: Engine
  readonly entries: JournalEntry[] = []
  readonly events: Event[] = []
  readonly #venue: Venue
  readonly #traded: string
  readonly #queue: VenueReports[] = []
  readonly #outgoing: { readonly request: VenueRequest; readonly at: Instant }[] = []
  #isBusy = false
  now: Instant

  constructor(options: LabOptions) {
    const { instruments = STANDARD, at = START, latency, state, staleAfterMs, kinds } = options
    this.#traded = options.traded ?? 'BTCUSDT'
    this.instruments = instruments
    this.now = at
    this.engine = createEngine({
      instruments,
      ...(state && { state }),
      ...(staleAfterMs !== undefined && { staleAfterMs }),
      ...(kinds && { kinds }),
    })
    this.#venue = options.venue ?? createSimulatedVenue({ instruments, ...(latency && { latency }) })
    this.#venue.onReports((reports, at) => this.#queue.push({ kind: 'reports', at, reports }))
  }

  get state(): HardState {
    return this.engine.state
  }

  resendToVenues(): void {
    for (const message of this.engine.createResendRequests()) this.#venue.send(message, this.now)
    this.#drain()
  }

  process(input: Input): StepResult {
    const step = this.#processOne(input)
    if (input.kind === 'tick' || input.kind === 'timer') this.#venue.observe(input)
    this.#drain()
    return step
  }

  run(command: Command): CommandAnswer {
    const { answer } = this.process({ kind: 'command', at: this.now, by: null, requestId: null, command })
    assert(answer !== null, `${command.type} was not answered`)
    return answer
  }

  preview(order: Partial<PlaceOrder>): OrderPreview {
    const command = anOrder({ instrument: this.#traded, ...order })
    const preview = this.engine.preview(command, this.now, (terms) => this.#venue.estimate(terms))
    assert(preview.ok, `refused: ${JSON.stringify(preview)}`)
    return preview.value
  }

  place(order: Partial<PlaceOrder>): Order {
    const answer = this.run(anOrder({ instrument: this.#traded, ...order }))
    assert(answer.ok && answer.orderId !== null, `refused: ${JSON.stringify(answer)}`)
    return this.order(answer.orderId)
  }

  order(id: OrderId): Order {
    const order = findOrder(this.state.orders, id)
    assert(order !== undefined, `no order ${id}`)
    return order
  }

  receive(...reports: readonly VenueReport[]): StepResult {
    return this.process({ kind: 'reports', at: this.now, reports })
  }

  quote(given: QuoteGiven): void {
    this.process(aQuote(this.instruments, { at: this.now, instrument: this.#traded, ...given }))
  }

  trade(given: TradeGiven): void {
    this.process(aTrade(this.instruments, { at: this.now, instrument: this.#traded, ...given }))
  }

  wait(ms: number): void {
    this.now = instantFromMs(this.now + ms)
    this.process({ kind: 'timer', at: this.now })
  }

  runStrategy(strategyType: string, config: Readonly<Record<string, unknown>> = {}): StrategyId {
    const { nextNumber } = this.state.strategies
    const name = nextNumber === 1 ? strategyType : `${strategyType} ${nextNumber}`
    const named = { name, strategyType, description: '' }
    const answer = this.run({ type: 'AddStrategy', ...named, config })
    assert(answer.ok && answer.strategy !== undefined, `refused: ${JSON.stringify(answer)}`)
    this.run({ type: 'StartStrategy', strategy: answer.strategy })
    return answer.strategy
  }

  watch(action: () => void): readonly Event[] {
    const before = this.events.length
    action()
    return this.events.slice(before)
  }

  #processOne(input: Input): StepResult {
    const step = this.engine.process(input)
    if (step.entry) {
      this.entries.push(step.entry)
      this.events.push(...step.entry.events)
    }
    for (const request of step.outbox) this.#outgoing.push({ request, at: input.at })
    return step
  }

  /** In the order of the live desk: reports first, then the requests that the input and they led to. */
  #drain(): void {
    if (this.#isBusy) return
    this.#isBusy = true
    while (this.#processNextReports() || this.#sendNext());
    this.#isBusy = false
  }

  #processNextReports(): boolean {
    const reports = this.#queue.shift()
    if (reports) this.#processOne(reports)
    return reports !== undefined
  }

  #sendNext(): boolean {
    const next = this.#outgoing.shift()
    if (next) this.#venue.send(next.request, next.at)
    return next !== undefined
  }
}

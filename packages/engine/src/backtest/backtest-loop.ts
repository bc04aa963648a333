import { createEngine, type Engine } from '#engine.ts'
import type { Instruments } from '#market/instruments.ts'
import { markQuote } from '#market/marks.ts'
import { createRandom } from '#market/random.ts'
import type { Command, Input, TimerFired, VenueReport } from '#model/input.ts'
import type { Refusal } from '#model/reasons.ts'
import type { MarketTick, QuoteTick, Side } from '#model/tick.ts'
import { createHardState } from '#state/hard-state.ts'
import { EMPTY_RESULT, type StepResult } from '#step/step-core.ts'
import type { StrategyKind } from '#strategies/strategy.ts'
import { type Instant, instantFromMs } from '#values/instant.ts'
import { ReusedList } from '#values/reused-list.ts'
import { createLatency, NO_LATENCY } from '#venue/latency.ts'
import { createSimulatedVenue, type SimulatedVenue } from '#venue/simulated-venue.ts'
import type { VenueRequest } from '#venue/venue.ts'
import type { Recorder } from './recorder.ts'

export interface BacktestLoopOptions {
  readonly instruments: Instruments
  readonly kinds?: readonly StrategyKind[]
  /** The typical latency each way. */
  readonly latencyMs: number
  readonly seed: number
}

/** Finished orders are only read when the fill that finishes one is recorded. */
const MAX_FINISHED_ORDERS = 2
/** The record of a run has its own trades. */
const MAX_CLOSED_POSITIONS = 0

/** The engine and the simulated venues in one synchronous loop: the desk loop without a journal. */
export class BacktestLoop {
  readonly engine: Engine
  readonly #instruments: Instruments
  readonly #venue: SimulatedVenue
  readonly #recorder: Recorder
  readonly #outgoing = new ReusedList<VenueRequest>()
  /** Reused, since the engine keeps no input. */
  readonly #reported: { kind: 'reports'; at: Instant; reports: readonly VenueReport[] }

  constructor({ instruments, kinds, latencyMs, seed }: BacktestLoopOptions, recorder: Recorder) {
    this.#recorder = recorder
    this.#reported = { kind: 'reports', at: instantFromMs(0), reports: [] }
    this.#instruments = instruments
    this.engine = createEngine({
      instruments,
      state: createHardState({
        maxFinishedOrders: MAX_FINISHED_ORDERS,
        maxClosedPositions: MAX_CLOSED_POSITIONS,
      }),
      isBacktest: true,
      ...(kinds && { kinds }),
    })
    const random = createRandom(seed).fork('latency')
    const latency = latencyMs > 0 ? createLatency(latencyMs, random) : NO_LATENCY
    this.#venue = createSimulatedVenue({ instruments, latency })
    this.#venue.onReports((reports, at) => {
      // One at a time, since only few finished orders are kept.
      if (reports.length === 1) this.#processReports(reports, at)
      else for (const report of reports) this.#processReports([report], at)
    })
  }

  /** Executes a command; returns the reason if it was refused. */
  submit(command: Command, at: Instant): Refusal | null {
    const input: Input = { kind: 'command', at, by: null, requestId: null, command }
    const { answer } = this.#process(input)
    this.#send(at)
    return answer === null || answer.ok ? null : answer.reason
  }

  /** Processes market and time in the order of the live desk: engine, venue, then the outbox. */
  accept(input: MarketTick | TimerFired): void {
    this.#process(input)
    this.#venue.observe(input)
    if (this.#outgoing.size > 0) this.#send(input.at)
  }

  /** Moves a mark to a quote to which neither a strategy nor risk reacts. */
  mark(tick: QuoteTick): void {
    markQuote(this.engine.marks, this.#instruments.indexOf(tick.instrument), tick)
    this.#venue.observe(tick)
  }

  /** Returns whether a trade may reach a working order. */
  isTradeRelevant(index: number, ticks: number, aggressor: Side): boolean {
    return this.#venue.isTradeRelevant(index, ticks, aggressor)
  }

  /** Returns whether a message is in transit. */
  get isInTransit(): boolean {
    return !this.#venue.isIdle()
  }

  /** Returns whether no order works and no message is in transit. */
  get isIdle(): boolean {
    return this.engine.state.orders.working.size === 0 && this.#venue.isIdle()
  }

  #processReports(reports: readonly VenueReport[], at: Instant): void {
    const input = this.#reported
    input.at = at
    input.reports = reports
    this.#process(input)
  }

  #process(input: Input): StepResult {
    const step = this.engine.process(input)
    if (step === EMPTY_RESULT) return step
    if (step.entry !== null) this.#recorder.entry(step.entry, this.engine.state)
    for (const message of step.outbox) this.#outgoing.push(message)
    return step
  }

  /** Requests caused by a venue's report are sent in the same loop. */
  #send(at: Instant): void {
    const outgoing = this.#outgoing
    // A request may be answered at once, which can add requests.
    for (let nth = 0; nth < outgoing.size; nth++) this.#venue.send(outgoing.at(nth), at)
    outgoing.clear()
  }
}

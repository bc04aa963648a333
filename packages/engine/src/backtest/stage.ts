import { QUIET, type Step } from '#core.ts'
import { createEngine, type Engine } from '#engine.ts'
import { createHardState } from '#hard-state.ts'
import type { Command, Input, TimerFired } from '#input.ts'
import type { Instruments } from '#market/instruments.ts'
import { createRandom } from '#market/random.ts'
import type { MarketTick } from '#market/tick.ts'
import type { Refusal } from '#orders/reasons.ts'
import type { StrategyKind } from '#strategies/strategy.ts'
import type { Instant } from '#values/instant.ts'
import { createLatency, NO_LATENCY } from '#venue/latency.ts'
import { createSimulatedVenue, type SimulatedVenue } from '#venue/simulated-venue.ts'
import type { Outgoing } from '#venue/venue.ts'
import type { Recorder } from './recorder.ts'

export interface StageOptions {
  readonly instruments: Instruments
  readonly kinds?: readonly StrategyKind[]
  /** What a message typically takes each way. */
  readonly latencyMs: number
  readonly seed: number
}

/** Nobody asks for orders that are over but who watches the fill that ends one. */
const FINISHED_KEPT = 2

/** The engine and the simulated venues in one synchronous loop: what the live desk is, without a journal to wait for. */
export class Stage {
  readonly engine: Engine
  readonly #venue: SimulatedVenue
  readonly #recorder: Recorder
  readonly #outgoing: Outgoing[] = []

  constructor({ instruments, kinds, latencyMs, seed }: StageOptions, recorder: Recorder) {
    this.#recorder = recorder
    this.engine = createEngine({
      instruments,
      state: createHardState({ finishedKept: FINISHED_KEPT }),
      isSealed: false,
      ...(kinds && { kinds }),
    })
    const random = createRandom(seed).fork('latency')
    const latency = latencyMs > 0 ? createLatency(latencyMs, random) : NO_LATENCY
    this.#venue = createSimulatedVenue({ instruments, latency })
    this.#venue.onReports((reports, at) => {
      // One at a time, since so few orders that are over are kept.
      for (const report of reports) this.#process({ kind: 'reports', at, reports: [report] })
    })
  }

  /** Carries out a command; returns why not, when it was refused. */
  obey(command: Command, at: Instant): Refusal | null {
    const input: Input = { kind: 'command', at, by: null, requestId: null, command }
    const { answer } = this.#process(input)
    this.#send(at)
    return answer === null || answer.ok ? null : answer.reason
  }

  /** Takes in the market and the time, as the live desk does: first the engine, then the venue, then what goes out. */
  accept(input: MarketTick | TimerFired): void {
    this.#process(input)
    this.#venue.observe(input)
    if (this.#outgoing.length > 0) this.#send(input.at)
  }

  /** Says whether nothing is under way that a price could move: no order works and no message travels. */
  get isIdle(): boolean {
    return this.engine.state.orders.working.size === 0 && this.#venue.isIdle()
  }

  #process(input: Input): Step {
    const step = this.engine.process(input)
    if (step === QUIET) return step
    if (step.entry !== null) this.#recorder.entry(step.entry, this.engine.state)
    for (const message of step.outbox) this.#outgoing.push(message)
    return step
  }

  /** What a report of the venue leads to goes out in its turn. */
  #send(at: Instant): void {
    const outgoing = this.#outgoing
    // What is sent may be answered at once, and the answer lead to more.
    for (const message of outgoing) this.#venue.send(message, at)
    // To cut the list to nothing in one go is many times slower.
    while (outgoing.length > 0) outgoing.pop()
  }
}

import type { HardState } from '#hard-state.ts'
import type { Command, Input, TimerFired, VenueReport, VenueReports } from '#input.ts'
import type { JournalEntry } from '#journal/entry.ts'
import { recover } from '#journal/replay.ts'
import { decodeSnapshot, encodeSnapshot } from '#journal/snapshot.ts'
import type { BarColumns } from '#market/history.ts'
import type { MarketTick } from '#market/tick.ts'
import type { SoftFigures } from '#risk/soft-figures.ts'
import { Fault } from '#values/fault.ts'
import type { Seq } from '#values/ids.ts'
import { type Instant, instant } from '#values/instant.ts'
import { createViews, type LiveViews, type Views } from '#views/views.ts'
import { QUIET, type Step } from './core.ts'
import type { Asker, DeskPorts, Outcome, RunningDesk } from './desk.ts'
import type { Engine } from './engine.ts'

/** Opens a desk on what its journal says: engine and ports in one loop, the journal first. */
export async function openDesk(ports: DeskPorts): Promise<RunningDesk> {
  const desk = new NativeDesk(ports, await recover(ports.journal))
  desk.tellVenues()
  return desk
}

/** Who follows entries looks up their orders in views that keep a thousand which are over, so an entry ends far fewer. */
const REPORTS_TO_AN_ENTRY = 100

interface Taken {
  readonly input: Input
  readonly step: Step
  readonly resolve: (outcome: Outcome) => void
  readonly reject: (cause: unknown) => void
}

class NativeDesk implements RunningDesk {
  readonly #ports: DeskPorts
  readonly #views: LiveViews
  #engine: Engine
  #lastAt = instant(0)
  /** What the engine has made of inputs and the journal does not hold yet. */
  #taken: Taken[] = []
  #isCommitting = false
  #isClosed = false
  /** What venues said while the desk was halted, or said in vain. */
  #held: VenueReports[] = []
  #waiting: (() => void)[] = []
  haltedBecause: string | null = null

  constructor(ports: DeskPorts, state: HardState) {
    this.#ports = ports
    this.#views = createViews(ports.instruments, state)
    this.#engine = ports.createEngine(copyOf(state))
    ports.venue.onReports((reports, at) => this.#hear(reports, at))
  }

  get views(): Views {
    this.#views.refresh(this.#engine.soft())
    return this.#views
  }

  soft(): SoftFigures {
    return this.#engine.soft()
  }

  prime(bars: BarColumns): void {
    this.#engine.prime(bars)
  }

  recentBars(): BarColumns[] {
    return this.#engine.live.recent()
  }

  tellVenues(): void {
    for (const message of this.#engine.reinstate()) this.#ports.venue.send(message, this.#now())
  }

  accept(input: MarketTick | TimerFired): void {
    if (this.haltedBecause !== null) return
    this.#take(input)
    this.#ports.venue.observe(input)
  }

  submit(command: Command, asker?: Asker): Promise<Outcome> {
    if (this.haltedBecause !== null) {
      return Promise.resolve({ ok: false, reason: { code: 'desk.halted', why: this.haltedBecause } })
    }
    const { by = null, requestId = null, origin } = asker ?? {}
    const asked = origin === undefined ? { by, requestId } : { by, requestId, origin }
    return new Promise((resolve, reject) => {
      this.#take({ kind: 'command', at: this.#now(), ...asked, command }, resolve, reject)
    })
  }

  async recover(): Promise<void> {
    if (this.haltedBecause === null) return
    const message = this.haltedBecause
    await this.idle()
    const state = await recover(this.#ports.journal)
    for await (const entry of this.#ports.journal.entriesAfter(this.#views.seq)) this.#show([entry])
    this.#engine = this.#ports.createEngine(state)
    this.haltedBecause = null
    this.#views.halt(null)
    const recorded = this.submit({ type: 'RecordHalt', message })
    // In the same turn: what venues say from now on must not overtake what they said before.
    for (const reports of this.#held.splice(0)) this.#take(reports)
    await recorded
    await this.idle()
    // Only what the journal holds; an engine that failed again may be ahead of it, and its successor tells them.
    if (this.haltedBecause === null) this.tellVenues()
  }

  saveSnapshot(): Promise<void> {
    return this.#ports.journal.saveSnapshot(encodeSnapshot(this.#views.state))
  }

  async idle(): Promise<void> {
    while (this.#isCommitting) await this.#nextCommit()
  }

  async *entriesAfter(seq: Seq): AsyncIterable<JournalEntry> {
    let last = seq
    while (!this.#isClosed) {
      for await (const entry of this.#ports.journal.entriesAfter(last)) {
        yield entry
        last = entry.seq
      }
      if (this.#views.seq <= last) await this.#nextCommit()
    }
  }

  close(): void {
    this.#isClosed = true
    this.#wake()
  }

  /** Time never goes back, whatever the clock does. */
  #now(): Instant {
    this.#lastAt = instant(Math.max(this.#lastAt, this.#ports.clock.now()))
    return this.#lastAt
  }

  #hear(reports: readonly VenueReport[], at: Instant): void {
    for (let first = 0; first < reports.length; first += REPORTS_TO_AN_ENTRY) {
      this.#take({ kind: 'reports', at, reports: reports.slice(first, first + REPORTS_TO_AN_ENTRY) })
    }
  }

  #take(input: Input, resolve: Taken['resolve'] = ignore, reject: Taken['reject'] = ignore): void {
    if (this.haltedBecause !== null) {
      if (input.kind === 'reports') this.#held.push(input)
      return
    }
    try {
      const step = this.#engine.process(input)
      if (step === QUIET) return
      this.#taken.push({ input, step, resolve, reject })
    } catch (bug) {
      // The engine may be half changed: it is made anew from the journal before it is used again.
      this.#halt(bug)
      if (input.kind === 'reports') this.#held.push(...apart(input))
      reject(bug)
    }
    void this.#commit()
  }

  /** Journal first: one append for all that was taken in while the last one ran. */
  async #commit(): Promise<void> {
    if (this.#isCommitting) return
    this.#isCommitting = true
    // What is taken in this same turn shares the append.
    await undefined
    while (this.#taken.length > 0) {
      const group = this.#taken.splice(0)
      const entries = group.flatMap(({ step }) => step.entry ?? [])
      try {
        if (entries.length > 0) await this.#ports.journal.append(entries)
        this.#show(entries)
        this.#release(group)
      } catch (cause) {
        this.#abandon([...group, ...this.#taken.splice(0)], cause)
      }
    }
    this.#isCommitting = false
    this.#wake()
  }

  #show(entries: readonly JournalEntry[]): void {
    const { onEntry, onEntries } = this.#ports
    for (const entry of entries) {
      this.#views.apply(entry)
      onEntry?.(entry, this.#views)
    }
    if (entries.length > 0) onEntries?.(entries)
    this.#wake()
  }

  #release(group: readonly Taken[]): void {
    for (const { step, input } of group) {
      for (const message of step.outbox) this.#ports.venue.send(message, input.at)
    }
    for (const { step, resolve } of group) {
      if (step.answer !== null) resolve(step.answer.ok ? { ...step.answer, entry: step.entry } : step.answer)
    }
  }

  /** What is not in the journal did not happen: commands are unknown, reports are kept for after the recovery. */
  #abandon(group: readonly Taken[], cause: unknown): void {
    this.#halt(cause)
    const fault = new Fault('journal.append-failed', 'unknown: retry with the same key', cause)
    // Whatever is held by now was said later.
    this.#held.unshift(...group.flatMap(({ input }) => (input.kind === 'reports' ? input : [])))
    for (const { reject } of group) reject(fault)
  }

  #halt(cause: unknown): void {
    this.haltedBecause ??= cause instanceof Error ? cause.message : String(cause)
    this.#views.halt(this.haltedBecause)
    this.#ports.onHalt?.(cause)
  }

  #nextCommit(): Promise<void> {
    return new Promise((resolve) => this.#waiting.push(resolve))
  }

  #wake(): void {
    for (const resolve of this.#waiting.splice(0)) resolve()
  }
}

function ignore(): void {}

/** Of reports that the engine failed on each is tried by itself after the recovery; one that it fails on alone is left out. */
function apart({ reports, ...rest }: VenueReports): VenueReports[] {
  return reports.length < 2 ? [] : reports.map((report) => ({ ...rest, reports: [report] }))
}

/** Views and engine each own their state: the engine's runs ahead of the journal, the views' never does. */
function copyOf(state: HardState): HardState {
  return decodeSnapshot(encodeSnapshot(state))
}

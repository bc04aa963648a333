import { recover } from '#journal/replay.ts'
import { decodeSnapshot, encodeSnapshot } from '#journal/snapshot.ts'
import type { BarColumns } from '#market/history.ts'
import type { Command, Input, PlaceOrder, TimerFired, VenueReport, VenueReports } from '#model/input.ts'
import type { JournalEntry } from '#model/journal-entry.ts'
import type { Refusal } from '#model/reasons.ts'
import type { MarketTick } from '#model/tick.ts'
import type { HardState } from '#state/hard-state.ts'
import { DONE, EMPTY_RESULT, type StepResult } from '#step/step-core.ts'
import { Fault } from '#values/fault.ts'
import type { Seq } from '#values/ids.ts'
import { type Instant, instantFromMs } from '#values/instant.ts'
import { ok, type Result, refuse } from '#values/result.ts'
import type { LiveFigures } from '#views/live-figures.ts'
import { createViews, type EngineViews, type UpdatableViews } from '#views/views.ts'
import type { CommandSender, DeskPorts, Outcome, PreviewOutcome, RunningDesk } from './desk.ts'
import type { Engine } from './engine.ts'

/** Opens a desk from its journal: engine and ports in one loop, journal first. */
export async function startDeskLoop(ports: DeskPorts): Promise<RunningDesk> {
  const desk = new DeskLoop(ports, await recover(ports.journal))
  desk.resendToVenues()
  return desk
}

/** Listeners look orders up in the views, which keep 1,000 finished ones, so an entry must finish fewer. */
const MAX_REPORTS_PER_ENTRY = 100

interface PendingStep {
  readonly input: Input
  readonly step: StepResult
  readonly resolve: (outcome: Outcome) => void
  readonly reject: (cause: unknown) => void
}

class DeskLoop implements RunningDesk {
  readonly #ports: DeskPorts
  readonly #views: UpdatableViews
  #engine: Engine
  #lastAt = instantFromMs(0)
  /** Steps that the journal does not hold yet. */
  #pending: PendingStep[] = []
  #isCommitting = false
  #isClosed = false
  /** Reports that arrived while the desk was halted, or whose entry could not be appended. */
  #heldReports: VenueReports[] = []
  #waiting: (() => void)[] = []
  haltReason: string | null = null

  constructor(ports: DeskPorts, state: HardState) {
    this.#ports = ports
    this.#views = createViews(ports.instruments, state)
    this.#engine = ports.createEngine(copyOf(state))
    ports.venue.onReports((reports, at) => this.#onReports(reports, at))
  }

  get seq(): Seq {
    return this.#views.seq
  }

  readViews(): EngineViews {
    this.#views.refresh(this.#engine.computeLiveFigures())
    return this.#views
  }

  computeLiveFigures(): LiveFigures {
    return this.#engine.computeLiveFigures()
  }

  warmUp(bars: BarColumns): void {
    this.#engine.warmUp(bars)
  }

  getWarmUpBars(): BarColumns[] {
    return this.#engine.live.getWarmUpBars()
  }

  resendToVenues(): void {
    for (const message of this.#engine.createResendRequests()) this.#ports.venue.send(message, this.#now())
  }

  accept(input: MarketTick | TimerFired): void {
    if (this.haltReason !== null) return
    this.#processInput(input)
    this.#ports.venue.observe(input)
  }

  submit(command: Command, sender?: CommandSender): Promise<Outcome> {
    if (this.haltReason !== null) {
      if (isHaltRequest(command) && this.#ports.isHaltPersisted?.()) {
        return Promise.resolve({ ...DONE, revision: null })
      }
      return Promise.resolve({ ok: false, reason: { code: 'desk.halted', haltReason: this.haltReason } })
    }
    const { by = null, requestId = null, origin } = sender ?? {}
    const from = origin === undefined ? { by, requestId } : { by, requestId, origin }
    const known = this.#withEarlierOrder(command)
    if (!known.ok) return Promise.resolve(known)
    return new Promise((resolve, reject) => {
      this.#processInput({ kind: 'command', at: this.#now(), ...from, command: known.value }, resolve, reject)
    })
  }

  async preview(order: PlaceOrder): Promise<PreviewOutcome> {
    if (this.haltReason !== null) return refuse({ code: 'desk.halted', haltReason: this.haltReason })
    const { venue } = this.#ports
    return this.#engine.preview(order, this.#now(), (terms) => venue.estimate(terms))
  }

  /** ORD-36: hard state has the latest keys, the store all of them. A repeat that cannot be excluded is refused. */
  #withEarlierOrder(command: Command): Result<Command, Refusal> {
    const { findKey } = this.#ports
    if (command.type !== 'PlaceOrder' && command.type !== 'ClosePosition') return ok(command)
    if (findKey === undefined || command.key === undefined) return ok(command)
    if (this.#engine.state.orders.keys.has(command.key)) return ok(command)
    try {
      const orderOfKey = findKey(command.key)
      return ok(orderOfKey === null ? command : { ...command, orderOfKey })
    } catch (fault) {
      return refuse({ code: 'key.unverified', why: fault instanceof Error ? fault.message : String(fault) })
    }
  }

  async recover(): Promise<void> {
    if (this.haltReason === null) return
    const message = this.haltReason
    await this.idle()
    const state = await recover(this.#ports.journal)
    for await (const entry of this.#ports.journal.entriesAfter(this.#views.seq)) this.#publish([entry])
    this.#engine = this.#ports.createEngine(state)
    this.haltReason = null
    this.#views.halt(null)
    const recorded = this.submit({ type: 'RecordHalt', message })
    // Taken in before any await, so that held reports stay ahead of new ones.
    for (const reports of this.#heldReports.splice(0)) this.#processInput(reports)
    await recorded
    await this.idle()
    // After another failure the engine may be ahead of the journal; the next recovery sends the requests.
    if (this.haltReason !== null) return
    this.#ports.onRecovered?.()
    this.resendToVenues()
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

  /** Never goes back, even if the clock does. */
  #now(): Instant {
    this.#lastAt = instantFromMs(Math.max(this.#lastAt, this.#ports.clock.now()))
    return this.#lastAt
  }

  #onReports(reports: readonly VenueReport[], at: Instant): void {
    for (let first = 0; first < reports.length; first += MAX_REPORTS_PER_ENTRY) {
      this.#processInput({
        kind: 'reports',
        at,
        reports: reports.slice(first, first + MAX_REPORTS_PER_ENTRY),
      })
    }
  }

  #processInput(
    input: Input,
    resolve: PendingStep['resolve'] = ignore,
    reject: PendingStep['reject'] = ignore,
  ): void {
    if (this.haltReason !== null) {
      if (input.kind === 'reports') this.#heldReports.push(input)
      return
    }
    try {
      const step = this.#engine.process(input)
      if (step === EMPTY_RESULT) return
      this.#pending.push({ input, step, resolve, reject })
    } catch (bug) {
      // The engine's state may be inconsistent, so recovery replaces the engine.
      this.#halt(bug)
      if (input.kind === 'reports') this.#heldReports.push(...splitReports(input))
      reject(bug)
    }
    void this.#commit()
  }

  /** Journal first: one append for all steps that were queued during the last one. */
  async #commit(): Promise<void> {
    if (this.#isCommitting) return
    this.#isCommitting = true
    // Inputs of the same turn share the append.
    await undefined
    while (this.#pending.length > 0) {
      const group = this.#pending.splice(0)
      const entries = group.flatMap(({ step }) => step.entry ?? [])
      try {
        if (entries.length > 0) await this.#ports.journal.append(entries)
      } catch (cause) {
        this.#abandon([...group, ...this.#pending.splice(0)], cause)
        continue
      }
      try {
        this.#publish(entries)
        this.#release(group)
      } catch (bug) {
        this.#stopAfterAppend(group, bug)
      }
    }
    this.#isCommitting = false
    this.#wake()
  }

  #publish(entries: readonly JournalEntry[]): void {
    const { onEntry, onEntries } = this.#ports
    for (const entry of entries) {
      this.#views.apply(entry)
      onEntry?.(entry, this.#views)
    }
    if (entries.length > 0) onEntries?.(entries)
    this.#wake()
  }

  #release(group: readonly PendingStep[]): void {
    for (const { step, input } of group) {
      for (const message of step.outbox) this.#ports.venue.send(message, input.at)
    }
    for (const { step, resolve } of group) {
      if (step.answer !== null)
        resolve(step.answer.ok ? { ...step.answer, revision: step.entry?.seq ?? null } : step.answer)
    }
  }

  /** A failed append may have been written: commands fail as unknown, reports are held until recovery. */
  #abandon(group: readonly PendingStep[], cause: unknown): void {
    this.#halt(cause)
    const fault = new Fault('journal.append-failed', 'unknown: retry with the same key', cause)
    // Reports already held are newer.
    this.#heldReports.unshift(...group.flatMap(({ input }) => (input.kind === 'reports' ? input : [])))
    for (const { reject } of group) reject(fault)
  }

  /** The journal holds the group: its reports count once and recovery sends its requests. Later steps are not in it. */
  #stopAfterAppend(group: readonly PendingStep[], bug: unknown): void {
    this.#abandon(this.#pending.splice(0), bug)
    const fault = new Fault('desk.failed-after-append', 'recorded: retry with the same key', bug)
    for (const { reject } of group) reject(fault)
  }

  #halt(cause: unknown): void {
    this.haltReason ??= cause instanceof Error ? cause.message : String(cause)
    this.#views.halt(this.haltReason)
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

function isHaltRequest(command: Command): boolean {
  return command.type === 'ChangeTradingState' && command.to === 'HALTED'
}

/** After recovery each report of a failed batch is processed alone. One that fails alone is dropped. */
function splitReports({ reports, ...rest }: VenueReports): VenueReports[] {
  return reports.length < 2 ? [] : reports.map((report) => ({ ...rest, reports: [report] }))
}

/** Views and engine own separate states: the engine's runs ahead of the journal, the views' never does. */
function copyOf(state: HardState): HardState {
  return decodeSnapshot(encodeSnapshot(state))
}

import { staleAfterMsOf } from '#handlers/component-settings.ts'
import { createDailyCloses } from '#market/daily-closes.ts'
import type { Instruments } from '#market/instruments.ts'
import { createMarks } from '#market/marks.ts'
import { describeReason } from '#model/describe.ts'
import type { Event } from '#model/event.ts'
import type { CommandReceived } from '#model/input.ts'
import { ENTRY_VERSION, type JournalEntry, type Moment } from '#model/journal-entry.ts'
import { Valuation } from '#risk/valuation.ts'
import { isAvailable } from '#state/components.ts'
import { createHardState, type HardState } from '#state/hard-state.ts'
import { type CommandAnswer, EMPTY_RESULT, type StepResult } from '#step/step-core.ts'
import { buildStrategy } from '#strategies/build.ts'
import { BUILT_IN_KINDS } from '#strategies/kinds/kinds.ts'
import { RunningStrategies, type StrategyCore } from '#strategies/runtime/running-strategies.ts'
import type { StrategyKind } from '#strategies/strategy.ts'
import { NO_SEQ, seqFrom } from '#values/ids.ts'
import { type Instant, instantFromMs } from '#values/instant.ts'
import type { VenueRequest } from '#venue/venue.ts'

export interface EngineOptions {
  readonly instruments: Instruments
  /** Hard state as folded from the journal; a new desk's when left out. */
  readonly state?: HardState
  /** The maximum age of a quote for a market order. */
  readonly staleAfterMs?: number
  /** The kinds of strategy it can run; the built-in ones when left out. */
  readonly kinds?: readonly StrategyKind[]
  /** A backtest neither freezes events, which nobody else holds, nor records the reasons of orders. */
  readonly isBacktest?: boolean
}

/** All that an engine works on. */
export interface EngineCore extends StrategyCore {
  /** From the data engine's configuration, else from the engine's options. */
  staleAfterMs: number
  readonly defaultStaleAfterMs: number
  /** 1 for an instrument whose ticks are ignored: the data engine is down or its venue disconnected. */
  readonly muted: Uint8Array
  /** Reused for every step of a backtest; null otherwise. */
  readonly stepBuffer: StepBuffer | null
}

/** Creates the core of an engine, its soft state empty. */
export function createCore(options: EngineOptions): EngineCore {
  const {
    instruments,
    state = createHardState(),
    staleAfterMs = STALE_AFTER_MS,
    kinds = BUILT_IN_KINDS,
    isBacktest = false,
  } = options
  const count = instruments.all.length
  const marks = createMarks(count)
  const core: EngineCore = {
    state,
    instruments,
    marks,
    staleAfterMs,
    defaultStaleAfterMs: staleAfterMs,
    valuation: new Valuation(instruments, marks),
    closes: createDailyCloses(),
    running: new RunningStrategies({ state, instruments, marks }, kinds),
    muted: new Uint8Array(count),
    sampled: { at: null, unmarkedSince: null },
    closeAttempt: { at: null },
    exitAttempts: new Map(),
    draft: { at: instantFromMs(0), seq: state.seq, events: NO_EVENTS, outbox: NO_REQUESTS, stale: 'all' },
    isBacktest,
    stepBuffer: isBacktest ? createStepBuffer() : null,
  }
  resumeStrategies(core)
  refreshSoftState(core)
  return core
}

/** Starts the strategies that ran before a restart; they have no bars until they are warmed up. */
function resumeStrategies({ state, running, instruments }: EngineCore): void {
  for (const { id, type, config, status } of state.strategies.all.values()) {
    if (status !== 'running') continue
    const built = buildStrategy(running.kinds, type, JSON.parse(config), instruments)
    if (built.ok) running.start(id, built.value.strategy)
    else running.broken.set(id, describeReason(built.reason))
  }
}

/** Updates the soft state that the step's events made out of date. */
function refreshSoftState(core: EngineCore): void {
  const { stale } = core.draft
  core.draft.stale = 'none'
  if (stale !== 'none') core.valuation.refresh(core.state)
  if (stale !== 'all') return
  core.staleAfterMs = staleAfterMsOf(core.state.components.DataEngine.config) ?? core.defaultStaleAfterMs
  core.running.setBus(isAvailable(core.state.components, 'strategies'))
  const hasData = isAvailable(core.state.components, 'marketData')
  let index = 0
  for (const { venue } of core.instruments.all) {
    core.muted[index++] = hasData && core.state.connected.has(venue) ? 0 : 1
  }
}

/** Begins the step of an input. */
export function beginStep(core: EngineCore, at: Instant): void {
  core.draft.at = at
  core.draft.seq = seqFrom(core.state.seq + 1)
}

/** Ends the step: its events become one journal entry. */
export function endStep(
  core: EngineCore,
  answer: CommandAnswer | null,
  sender: Sender = NO_SENDER,
): StepResult {
  const { draft } = core
  const { events, outbox } = draft
  if (events.length === 0 && outbox.length === 0)
    return answer === null ? EMPTY_RESULT : { ...EMPTY_RESULT, answer }
  draft.events = NO_EVENTS
  draft.outbox = NO_REQUESTS
  if (events.length === 0) return { entry: null, outbox, answer }
  core.state.seq = draft.seq
  refreshSoftState(core)
  if (core.stepBuffer !== null && answer === null) return reuse(core.stepBuffer, draft, events, outbox)
  const { by, requestId, origin } = sender
  const bare: JournalEntry = { seq: draft.seq, at: draft.at, version: ENTRY_VERSION, by, requestId, events }
  const entry = origin === undefined ? bare : { ...bare, origin }
  return { entry: core.isBacktest ? entry : Object.freeze(entry), outbox, answer }
}

/** The one step of a backtest, which reads each before it makes the next. */
interface StepBuffer extends StepResult {
  readonly entry: { -readonly [Field in keyof JournalEntry]: JournalEntry[Field] }
  outbox: readonly VenueRequest[]
}

function reuse(
  step: StepBuffer,
  { seq, at }: Moment,
  events: readonly Event[],
  outbox: readonly VenueRequest[],
): StepResult {
  step.entry.seq = seq
  step.entry.at = at
  step.entry.events = events
  step.outbox = outbox
  return step
}

function createStepBuffer(): StepBuffer {
  const entry = {
    seq: NO_SEQ,
    at: instantFromMs(0),
    version: ENTRY_VERSION,
    ...NO_SENDER,
    events: NO_EVENTS,
  } as const
  return { entry, outbox: NO_REQUESTS, answer: null }
}

type Sender = Pick<CommandReceived, 'by' | 'requestId' | 'origin'>

const STALE_AFTER_MS = 60_000
/** Never pushed to: the first event or request of a step replaces the list. */
const NO_EVENTS: Event[] = []
const NO_REQUESTS: VenueRequest[] = []
const NO_SENDER: Sender = { by: null, requestId: null }

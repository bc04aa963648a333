import { isUp } from '#components/component.ts'
import { staleAfterMsOf } from '#components/settings.ts'
import type { Event, EventType } from '#event.ts'
import { applyEvent, createHardState, type HardState } from '#hard-state.ts'
import { ENTRY_VERSION, type JournalEntry, type Origin } from '#journal/entry.ts'
import { createDailyCloses, type DailyCloses } from '#market/daily-closes.ts'
import type { Instruments } from '#market/instruments.ts'
import { createMarks } from '#market/marks.ts'
import { describeReason } from '#orders/describe.ts'
import type { Refusal } from '#orders/reasons.ts'
import type { RiskContext } from '#risk/exposure.ts'
import { Valuation } from '#risk/valuation.ts'
import { buildStrategy } from '#strategies/build.ts'
import { BUILT_IN_KINDS } from '#strategies/kinds.ts'
import { LiveStrategies } from '#strategies/live.ts'
import type { StrategyKind } from '#strategies/strategy.ts'
import { type OrderId, type Seq, type StrategyId, seq } from '#values/ids.ts'
import { type Instant, instant } from '#values/instant.ts'
import type { Outgoing } from '#venue/venue.ts'

/** What a command is answered with. */
export type Answer = Accepted | { readonly ok: false; readonly reason: Refusal }

interface Accepted {
  readonly ok: true
  /** The order that was placed, when one was. */
  readonly orderId: OrderId | null
  /** The strategy that was added, when one was. */
  readonly strategy?: StrategyId
  /** The entry of the first answer, when the command's key was used before. */
  readonly repeats: Seq | null
}

/** What one input led to: what happened, what should go out, and what to answer. */
export interface Step {
  readonly entry: JournalEntry | null
  readonly outbox: readonly Outgoing[]
  readonly answer: Answer | null
}

export interface EngineOptions {
  readonly instruments: Instruments
  /** Hard state as folded from the journal; a new desk's when left out. */
  readonly state?: HardState
  /** How old a quote may be for a market order. */
  readonly staleAfterMs?: number
  /** The kinds of strategy it can run; the built-in ones when left out. */
  readonly kinds?: readonly StrategyKind[]
  /** Whether what happened is frozen, as it must be where others hold it too; a backtest alone can do without. */
  readonly isSealed?: boolean
}

/** What the handlers of inputs work on: hard state, soft state, and the draft of the present step. */
export interface Core extends RiskContext {
  readonly state: HardState
  /** As the data engine is configured, else what the engine was made with. */
  staleAfterMs: number
  readonly staleAfterMsUnset: number
  readonly valuation: Valuation
  readonly closes: DailyCloses
  readonly live: LiveStrategies
  /** 1 for an instrument whose ticks are not heard: no data engine, or its venue is disconnected. */
  readonly deaf: Uint8Array
  /** When equity was last sampled. */
  readonly sampled: { at: Instant | null }
  readonly draft: Draft
  readonly isSealed: boolean
}

interface Draft {
  at: Instant
  seq: Seq
  events: Event[]
  outbox: Outgoing[]
  /** What soft state must still be told of. */
  touches: Touch
}

/** Which soft state follows from an event: none, the valuation, or also what is heard. */
type Touch = 0 | 1 | 2

/** Most ticks lead to nothing; they all share this step, so they allocate nothing. */
export const QUIET: Step = Object.freeze({ entry: null, outbox: Object.freeze([]), answer: null })

export const DONE: Accepted = Object.freeze({ ok: true, orderId: null, repeats: null })

/** Makes what an engine works on, its soft state empty. */
export function createCore(options: EngineOptions): Core {
  const { instruments, state = createHardState(), staleAfterMs = STALE_AFTER_MS, isSealed = true } = options
  const { kinds = BUILT_IN_KINDS } = options
  const count = instruments.all.length
  const marks = createMarks(count)
  const core: Core = {
    state,
    instruments,
    marks,
    staleAfterMs,
    staleAfterMsUnset: staleAfterMs,
    valuation: new Valuation(instruments, marks),
    closes: createDailyCloses(),
    live: new LiveStrategies({ state, instruments, marks }, kinds),
    deaf: new Uint8Array(count),
    sampled: { at: null },
    draft: { at: instant(0), seq: state.seq, events: NO_EVENTS, outbox: NO_MESSAGES, touches: 2 },
    isSealed,
  }
  resumeStrategies(core)
  refreshSoft(core)
  return core
}

/** What ran before a restart runs again, cold until it is warmed up. */
function resumeStrategies({ state, live, instruments }: Core): void {
  for (const { id, type, config, status } of state.strategies.all.values()) {
    if (status !== 'running') continue
    const built = buildStrategy(live.kinds, type, JSON.parse(config), instruments)
    if (built.ok) live.start(id, built.value.strategy)
    else live.broken.set(id, describeReason(built.reason))
  }
}

/** Brings soft state up to what hard state says now, as far as what happened touches it. */
function refreshSoft(core: Core): void {
  const { touches } = core.draft
  core.draft.touches = 0
  if (touches > 0) core.valuation.refresh(core.state)
  if (touches < 2) return
  core.staleAfterMs = staleAfterMsOf(core.state.components.DataEngine.config) ?? core.staleAfterMsUnset
  core.live.setBus(isUp(core.state.components, 'MessageBus'))
  const hears = isUp(core.state.components, 'DataEngine')
  let index = 0
  for (const { venue } of core.instruments.all) {
    core.deaf[index++] = hears && core.state.connected.has(venue) ? 0 : 1
  }
}

/** Makes an event true at once in hard state and writes it into the step. */
export function emit(core: Core, event: Event): void {
  const { draft } = core
  if (core.isSealed) Object.freeze(event)
  applyEvent(core.state, event, draft)
  // Most steps have one event, and a list made of it takes no more room than that.
  if (draft.events.length === 0) draft.events = [event]
  else draft.events.push(event)
  const touches = touchOf(event.type)
  if (touches > draft.touches) draft.touches = touches
}

/** Brings the valuation up to date within a step, for who must look at it before the step ends. */
export function revalue(core: Core): void {
  core.valuation.refresh(core.state)
  if (core.draft.touches === 1) core.draft.touches = 0
}

/** Puts a message into the outbox; it leaves when the step's events are durable. */
export function send(core: Core, message: Outgoing): void {
  const { draft } = core
  if (draft.outbox.length === 0) draft.outbox = [message]
  else draft.outbox.push(message)
}

/** Begins the step of an input. */
export function beginStep(core: Core, at: Instant): void {
  core.draft.at = at
  core.draft.seq = seq(core.state.seq + 1)
}

export interface Asker {
  readonly by: string | null
  readonly requestId: string | null
  readonly origin?: Origin
}

/** Ends the step: its events become one entry. */
export function endStep(core: Core, answer: Answer | null, asker: Asker = NOBODY): Step {
  const { draft } = core
  const { events, outbox } = draft
  if (events.length === 0 && outbox.length === 0) return answer === null ? QUIET : { ...QUIET, answer }
  draft.events = NO_EVENTS
  draft.outbox = NO_MESSAGES
  if (events.length === 0) return { entry: null, outbox, answer }
  core.state.seq = draft.seq
  refreshSoft(core)
  const { by, requestId, origin } = asker
  const bare: JournalEntry = { seq: draft.seq, at: draft.at, version: ENTRY_VERSION, by, requestId, events }
  const entry = origin === undefined ? bare : { ...bare, origin }
  return { entry: core.isSealed ? Object.freeze(entry) : entry, outbox, answer }
}

/** The most frequent ones are told apart before the table is asked. */
function touchOf(type: EventType): Touch {
  if (type === 'OrderSubmitted' || type === 'OrderAccepted') return 0
  return type === 'OrderFilled' ? 1 : (TOUCHES[type] ?? 2)
}

/** The events that come most often; every other one refreshes all. */
const TOUCHES: { readonly [Type in EventType]?: Touch } = {
  OrderDenied: 0,
  OrderSubmitted: 0,
  OrderAccepted: 0,
  OrderTriggered: 0,
  OrderChangeRequested: 0,
  OrderChanged: 0,
  OrderChangeRejected: 0,
  OrderCancelRequested: 0,
  OrderCancelled: 0,
  OrderRejected: 0,
  ReportDisregarded: 0,
  HighWaterRaised: 0,
  DrawdownDeepened: 0,
  OrderFilled: 1,
  FundingPaid: 1,
  DayStarted: 1,
}

const STALE_AFTER_MS = 60_000
/** Never added to: what is added first makes a list of its own. */
const NO_EVENTS: Event[] = []
const NO_MESSAGES: Outgoing[] = []
const NOBODY: Asker = { by: null, requestId: null }

import { handleConnectionReport } from '#handlers/connections.ts'
import { continueEmergency, finishIfFlat } from '#handlers/emergency.ts'
import { payFunding } from '#handlers/funding.ts'
import { handleTimer } from '#handlers/time.ts'
import type { BarColumns } from '#market/history.ts'
import { type Marks, markQuote } from '#market/marks.ts'
import type { Input, PlaceOrder, VenueReport } from '#model/input.ts'
import type { MalformedInput } from '#model/reasons.ts'
import type { MarketTick } from '#model/tick.ts'
import { closeAtExits, findTriggeredExits, type TriggeredExit } from '#orders/exits.ts'
import { type OrderPreview, previewOrder } from '#orders/preview.ts'
import { handleReport } from '#orders/reports.ts'
import { enforceDailyLoss } from '#orders/trading-state.ts'
import type { Valuation } from '#risk/valuation.ts'
import type { HardState } from '#state/hard-state.ts'
import { isEmergencyActive } from '#state/risk-register.ts'
import { EMPTY_RESULT, type StepResult } from '#step/step-core.ts'
import { dispatchTick, failBroken } from '#strategies/runtime/dispatch.ts'
import type { RunningStrategies } from '#strategies/runtime/running-strategies.ts'
import { unreachable } from '#values/bug.ts'
import type { Instant } from '#values/instant.ts'
import type { Result } from '#values/result.ts'
import { createResendRequests } from '#venue/resend.ts'
import type { Venue, VenueRequest } from '#venue/venue.ts'
import { computeLiveFigures, type LiveFigures } from '#views/live-figures.ts'
import { handleCommand } from './commands.ts'
import { beginStep, createCore, type EngineCore, type EngineOptions, endStep } from './engine-core.ts'

/** The trading engine: one stamped input in, one step out. */
export interface Engine {
  /** Processes one input. It sends nothing, stores nothing and reads no clock. */
  process(input: Input): StepResult
  /** Returns the requests to repeat after a restart: connections, working orders, unconfirmed changes and cancels. */
  createResendRequests(): readonly VenueRequest[]
  /** Returns the soft state that views show: marks and figures derived from them. */
  computeLiveFigures(): LiveFigures
  /** Warms running strategies up with past bars. This is soft state and no input. */
  warmUp(bars: BarColumns): void
  /** Previews an order at the current marks; it changes nothing. */
  preview(order: PlaceOrder, at: Instant, estimate: Venue['estimate']): Result<OrderPreview, MalformedInput>
  /** Soft state that a backtest reads to skip quiet stretches; it moves marks that no strategy acts on. */
  readonly marks: Marks
  readonly live: RunningStrategies
  readonly valuation: Valuation
  readonly state: HardState
}

/** Creates an engine. The same state and inputs always give the same steps. */
export function createEngine(options: EngineOptions): Engine {
  const core = createCore(options)
  return {
    state: core.state,
    createResendRequests: () => createResendRequests(core.state),
    computeLiveFigures: () => computeLiveFigures(core),
    marks: core.marks,
    live: core.running,
    valuation: core.valuation,
    warmUp: (bars) => core.running.warmUp(bars),
    preview: (order, at, estimate) => previewOrder(core, order, at, estimate),
    process: (input) => processInput(core, input),
  }
}

function processInput(core: EngineCore, input: Input): StepResult {
  switch (input.kind) {
    case 'tick':
      return processTick(core, input)
    case 'reports':
      beginStep(core, input.at)
      for (const report of input.reports) handleVenueReport(core, report)
      if (isEmergencyActive(core.state.risk)) finishIfFlat(core)
      return endStep(core, null)
    case 'command':
      beginStep(core, input.at)
      return endStep(core, handleCommand(core, input.command), input)
    case 'timer':
      beginStep(core, input.at)
      handleTimer(core, input.at)
      if (isEmergencyActive(core.state.risk)) continueEmergency(core, input.at)
      if (core.running.broken.size > 0) failBroken(core)
      return endStep(core, null)
    default:
      return unreachable(input)
  }
}

/** The hot path: most ticks only update a mark and allocate nothing. */
function processTick(core: EngineCore, tick: MarketTick): StepResult {
  const index = core.instruments.indexOf(tick.instrument)
  if (index < 0) return EMPTY_RESULT
  if (core.running.isSubscribed[index] === 1 && core.muted[index] === 0)
    return processSubscribedTick(core, tick, index)
  // Daily bars come from the catalog, so a disconnected venue does not mute them.
  if (tick.type === 'bar' && tick.interval === '1d') core.closes.record(index, tick.at, tick.close)
  if (tick.type !== 'quote' || core.muted[index] === 1) return EMPTY_RESULT
  markQuote(core.marks, index, tick)
  if (!core.valuation.isHeld(index)) return EMPTY_RESULT
  const isLossReached = core.valuation.isLossReached()
  const exits = triggeredExits(core, index, tick)
  if (!isLossReached && exits.length === 0) return EMPTY_RESULT
  beginStep(core, tick.at)
  if (isLossReached) enforceDailyLoss(core)
  closeAtExits(core, exits)
  return endStep(core, null)
}

function triggeredExits(core: EngineCore, index: number, { at }: MarketTick): readonly TriggeredExit[] {
  return core.valuation.hasExits(index) ? findTriggeredExits(core, index, at) : NO_EXITS
}

const NO_EXITS: readonly TriggeredExit[] = []

/** A tick that running strategies receive; their intents are executed in the same step. */
function processSubscribedTick(core: EngineCore, tick: MarketTick, index: number): StepResult {
  if (tick.type === 'bar' && tick.interval === '1d') core.closes.record(index, tick.at, tick.close)
  if (tick.type === 'quote') markQuote(core.marks, index, tick)
  beginStep(core, tick.at)
  if (core.valuation.isHeld(index)) {
    if (core.valuation.isLossReached()) enforceDailyLoss(core)
    if (tick.type === 'quote') closeAtExits(core, triggeredExits(core, index, tick))
  }
  dispatchTick(core, tick, index)
  return endStep(core, null)
}

function handleVenueReport(core: EngineCore, report: VenueReport): void {
  // The most frequent types first: a property lookup over so many shapes is slow.
  if (report.type === 'accepted' || report.type === 'filled') handleReport(core, report)
  else if ('orderId' in report) handleReport(core, report)
  else if (report.type === 'funding') payFunding(core, report)
  else handleConnectionReport(core, report)
}

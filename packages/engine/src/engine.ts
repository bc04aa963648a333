import { obey } from '#commands.ts'
import { beginStep, type Core, createCore, type EngineOptions, endStep, QUIET, type Step } from '#core.ts'
import type { HardState } from '#hard-state.ts'
import type { Input, VenueReport } from '#input.ts'
import type { BarColumns } from '#market/history.ts'
import { markQuote } from '#market/marks.ts'
import type { MarketTick } from '#market/tick.ts'
import { takeReport } from '#orders/reports.ts'
import { payFunding } from '#positions/funding.ts'
import { watchDailyLoss } from '#risk/daily-loss.ts'
import { passTime } from '#risk/sampling.ts'
import { type SoftFigures, softFigures } from '#risk/soft-figures.ts'
import type { Valuation } from '#risk/valuation.ts'
import { failBroken, hearTick } from '#strategies/hear.ts'
import type { LiveStrategies } from '#strategies/live.ts'
import { unreachable } from '#values/bug.ts'
import { noteConnection } from '#venue/connect.ts'
import { reinstateAll } from '#venue/reinstate.ts'
import type { Outgoing } from '#venue/venue.ts'

/** The trading engine: everything goes in by one door, stamped, and what follows from it comes out. */
export interface Engine {
  /** Takes an input in. It sends nothing, stores nothing and reads no clock. */
  process(input: Input): Step
  /** Returns what venues must be told again after a restart: connections, working orders, pending wishes. */
  reinstate(): readonly Outgoing[]
  /** Returns what is rebuilt from the feed, for views: marks and what is made of them. */
  soft(): SoftFigures
  /** Tells running strategies bars of the past, so that they know enough to act: soft state, no input. */
  prime(bars: BarColumns): void
  /** Soft state that a backtest looks at to advance over quiet stretches at once. */
  readonly live: LiveStrategies
  readonly valuation: Valuation
  readonly state: HardState
}

/** Makes an engine; the same state and inputs give the same steps, always. */
export function createEngine(options: EngineOptions): Engine {
  const core = createCore(options)
  return {
    state: core.state,
    reinstate: () => reinstateAll(core.state),
    soft: () => softFigures(core),
    live: core.live,
    valuation: core.valuation,
    prime: (bars) => core.live.prime(bars),
    process: (input) => take(core, input),
  }
}

function take(core: Core, input: Input): Step {
  switch (input.kind) {
    case 'tick':
      return takeTick(core, input)
    case 'reports':
      beginStep(core, input.at)
      for (const report of input.reports) takeVenueReport(core, report)
      return endStep(core, null)
    case 'command':
      beginStep(core, input.at)
      return endStep(core, obey(core, input.command), input)
    case 'timer':
      beginStep(core, input.at)
      passTime(core, input.at)
      if (core.live.broken.size > 0) failBroken(core)
      return endStep(core, null)
    default:
      return unreachable(input)
  }
}

/** The hot path: most ticks only move a mark, and allocate nothing. */
function takeTick(core: Core, tick: MarketTick): Step {
  const index = core.instruments.indexOf(tick.instrument)
  if (index < 0) return QUIET
  if (core.live.hears[index] === 1 && core.deaf[index] === 0) return takeHeardTick(core, tick, index)
  // Daily bars come from the catalog, not from a venue, so nothing keeps them from being heard.
  if (tick.type === 'bar' && tick.interval === '1d') core.closes.note(index, tick.at, tick.close)
  if (tick.type !== 'quote' || core.deaf[index] === 1) return QUIET
  markQuote(core.marks, index, tick)
  if (!core.valuation.isHeld(index) || !core.valuation.isLossReached()) return QUIET
  beginStep(core, tick.at)
  watchDailyLoss(core)
  return endStep(core, null)
}

/** A tick that running strategies hear; what they do about it is in the same step. */
function takeHeardTick(core: Core, tick: MarketTick, index: number): Step {
  if (tick.type === 'bar' && tick.interval === '1d') core.closes.note(index, tick.at, tick.close)
  if (tick.type === 'quote') markQuote(core.marks, index, tick)
  beginStep(core, tick.at)
  if (core.valuation.isHeld(index) && core.valuation.isLossReached()) watchDailyLoss(core)
  hearTick(core, tick, index)
  return endStep(core, null)
}

function takeVenueReport(core: Core, report: VenueReport): void {
  // The most frequent ones first: to ask for a field of so many shapes takes its time.
  if (report.type === 'accepted' || report.type === 'filled') takeReport(core, report)
  else if ('orderId' in report) takeReport(core, report)
  else if (report.type === 'funding') payFunding(core, report)
  else noteConnection(core, report)
}

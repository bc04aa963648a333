import type { Core } from '#core.ts'
import { INTERVAL_MS } from '#market/interval.ts'
import type { BarTick, MarketTick } from '#market/tick.ts'
import { attempt } from './attempt.ts'
import type { BarFeed } from './bar-feed.ts'
import { carryOut, failStrategy, takeBackOrders } from './carry-out.ts'
import { hearsBars, type Runner } from './runner.ts'
import type { StrategyBar } from './strategy.ts'

/** Lets running strategies hear a tick of the instrument: first the bars that it ends, then the quote itself. */
export function hearTick(core: Core, tick: MarketTick, index: number): void {
  if (tick.type === 'bar') {
    hearBar(core, tick, index)
    return
  }
  const { live } = core
  const feeds = live.feedsOf(index)
  for (const feed of feeds) if (feed.finish(tick.at, live.bar)) tellBar(core, index, feed)
  if (tick.type === 'trade') for (const feed of feeds) feed.trade(tick.at, tick.price, tick.size)
  else tellQuote(core, index)
}

function hearBar(core: Core, tick: BarTick, index: number): void {
  const { live } = core
  if (isOfThePast(core, tick, index)) live.recall(tick, index)
  else for (const feed of live.feedsOf(index)) if (feed.take(tick, live.bar)) tellBar(core, index, feed)
}

/** A bar that no quote was heard in is from a recording: one learns from it and does not trade on it. */
function isOfThePast({ marks }: Core, { at, interval }: BarTick, index: number): boolean {
  const quotedAt = marks.at[index] ?? 0
  return quotedAt < at - INTERVAL_MS[interval] || quotedAt > at
}

/** Ends strategies that could not be made after a restart; it takes an input to say so. */
export function failBroken(core: Core): void {
  for (const [id, reason] of [...core.live.broken]) failStrategy(core, id, reason)
}

function tellBar(core: Core, index: number, feed: BarFeed): void {
  for (const { runner, slot } of core.live.listenersTo(index)) {
    if (runner.isOver || !hearsBars(runner, feed.interval)) continue
    // A strategy that takes over has just been told this bar as the last of the past.
    if (swapIn(core, runner)) continue
    core.live.bar.slot = slot
    runner.heard += 1
    tell(core, runner, slot, core.live.bar)
  }
}

function tellQuote(core: Core, index: number): void {
  for (const { runner, slot } of core.live.listenersTo(index)) {
    if (runner.isOver || runner.strategy.onQuote === undefined) continue
    if (runner.next !== null && runner.strategy.interval === null && swapIn(core, runner)) continue
    tell(core, runner, slot, null)
  }
}

/** Lets new settings take effect; orders by the old ones are taken back. */
function swapIn(core: Core, runner: Runner): boolean {
  if (runner.next === null) return false
  takeBackOrders(core, runner.id)
  core.live.swap(runner, runner.next)
  return true
}

function tell(core: Core, runner: Runner, slot: number, bar: StrategyBar | null): void {
  const { desk } = runner
  desk.now = core.draft.at
  desk.isLive = true
  const failure = attempt(runner, slot, bar)
  if (failure !== null) failStrategy(core, runner.id, failure)
  else if (desk.intents.length > 0) carryOut(core, runner)
}

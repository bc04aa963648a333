import type { BarColumns } from '#market/history.ts'
import type { Interval } from '#model/interval.ts'
import type { Denial } from '#model/reasons.ts'
import type { Intent } from '#model/strategy.ts'
import type { BarTick } from '#model/tick.ts'
import type { Core } from '#step/step-core.ts'
import type { Strategy, StrategyBar, StrategyKind } from '#strategies/strategy.ts'
import type { StrategyId } from '#values/ids.ts'
import { BarFeed } from './bar-feed.ts'
import { type ContextSources, EngineStrategyContext } from './strategy-context.ts'

/** What the handlers of strategies work on. */
export interface StrategyCore extends Core {
  readonly running: RunningStrategies
}

/** A running strategy and its soft state in the engine. */
export interface Runner {
  readonly id: StrategyId
  strategy: Strategy
  context: EngineStrategyContext
  /** The strategy with new settings; replaces it at the next bar or, without bars, at the next quote. */
  next: Strategy | null
  /** The number of bars received, warm-up included. */
  barsReceived: number
  isFinished: boolean
  /** The end of the cooldown after a denial, for orders that add and orders that reduce. */
  addFrom: number
  reduceFrom: number
  cooldownMs: number
  /** Its orders denied since the last one that was not. */
  denials: Denials | null
}

/** Consecutive denials of a strategy's orders. */
export interface Denials {
  readonly count: number
  /** The last denial's reason. */
  readonly reason: Denial
  /** The end of the cooldown. */
  readonly retryAt: number
}

export function usesInterval(runner: Runner, interval: Interval): boolean {
  return runner.strategy.interval === interval
}

interface Subscription {
  readonly runner: Runner
  readonly slot: number
}

/** The running strategies and their subscriptions. It executes nothing itself. */
export class RunningStrategies {
  /** 1 for an instrument that a running strategy subscribes to, while the message bus runs. */
  readonly isSubscribed: Uint8Array
  readonly kinds: readonly StrategyKind[]
  readonly runners = new Map<StrategyId, Runner>()
  /** The only running strategy, if there is exactly one. */
  sole: Runner | null = null
  /** Strategies that should run but cannot be created, with the reason. */
  readonly broken = new Map<StrategyId, string>()
  /** The bar being delivered. */
  readonly bar: StrategyBar = { slot: 0, start: 0, open: 0, high: 0, low: 0, close: 0, volume: 0 }
  readonly #sources: ContextSources
  readonly #subscriptions: Subscription[][]
  readonly #feeds: BarFeed[][]
  #isBusUp = false

  constructor(sources: ContextSources, kinds: readonly StrategyKind[]) {
    const { all } = sources.instruments
    this.#sources = sources
    this.kinds = kinds
    this.isSubscribed = new Uint8Array(all.length)
    this.#subscriptions = all.map(() => [])
    this.#feeds = all.map(() => [])
  }

  subscriptionsTo(index: number): readonly Subscription[] {
    return this.#subscriptions[index] ?? []
  }

  feedsOf(index: number): readonly BarFeed[] {
    return this.#feeds[index] ?? []
  }

  /** Starts a strategy and warms it up with the past bars of its feeds. */
  start(id: StrategyId, strategy: Strategy): void {
    const context = new EngineStrategyContext(this.#sources, id, strategy.instruments)
    const runner: Runner = {
      id,
      strategy,
      context,
      next: null,
      barsReceived: 0,
      isFinished: false,
      addFrom: 0,
      reduceFrom: 0,
      cooldownMs: 0,
      denials: null,
    }
    this.runners.set(id, runner)
    this.#rebuildSubscriptions()
    this.#warmUpRunner(runner)
  }

  stop(id: StrategyId): void {
    const runner = this.runners.get(id)
    if (runner === undefined) return
    runner.isFinished = true
    this.runners.delete(id)
    this.#rebuildSubscriptions()
  }

  /** Replaces a runner's strategy and warms it up. */
  swap(runner: Runner, next: Strategy): void {
    runner.strategy = next
    runner.context = new EngineStrategyContext(this.#sources, runner.id, next.instruments)
    runner.next = null
    runner.barsReceived = 0
    this.#rebuildSubscriptions()
    this.#warmUpRunner(runner)
  }

  /** Warms subscribers up with past bars; bars older than the latest received are ignored. */
  warmUp(bars: BarColumns): void {
    const index = this.#sources.instruments.indexOf(bars.instrument)
    const feed = this.#feeds[index]?.find(({ interval }) => interval === bars.interval)
    if (feed === undefined) return
    for (let row = 0; row < bars.length; row++) {
      if (feed.addPastBar(bars, row, this.bar)) this.#warmUpSubscribers(index, bars.interval)
    }
  }

  /** Warms subscribers up with one bar that came as a tick. */
  warmUpWithTick(tick: BarTick, index: number): void {
    for (const feed of this.feedsOf(index)) {
      if (feed.addBar(tick, this.bar)) this.#warmUpSubscribers(index, tick.interval)
    }
  }

  #warmUpSubscribers(index: number, interval: Interval): void {
    for (const { runner, slot } of this.subscriptionsTo(index)) {
      if (usesInterval(runner, interval)) this.#warmUpWithBar(runner, slot, this.bar)
    }
  }

  /** Returns the latest bars of all subscriptions, to warm up the next engine. */
  getWarmUpBars(): BarColumns[] {
    return this.#feeds.flatMap((feeds) => feeds.map((feed) => feed.getPastBars()))
  }

  setBus(isRunning: boolean): void {
    if (isRunning === this.#isBusUp) return
    this.#isBusUp = isRunning
    this.#rebuildSubscriptions()
  }

  #warmUpRunner(runner: Runner): void {
    const { instruments, interval } = runner.strategy
    if (interval === null) return
    instruments.forEach((id, slot) => {
      const feed = this.#feeds[this.#sources.instruments.indexOf(id)]?.find(
        (each) => each.interval === interval,
      )
      feed?.forEachPastBar(this.bar, (bar) => this.#warmUpWithBar(runner, slot, bar))
    })
  }

  /** A strategy that fails during warm-up cannot run; the next input emits the event. */
  #warmUpWithBar(runner: Runner, slot: number, bar: StrategyBar): void {
    runner.context.isLive = false
    bar.slot = slot
    runner.barsReceived += 1
    const failure = attempt(runner, slot, bar)
    if (failure !== null) this.broken.set(runner.id, failure)
  }

  /** Rebuilds the subscriptions as new lists, since a caller may be iterating over the old ones. */
  #rebuildSubscriptions(): void {
    const { instruments } = this.#sources
    const [first = null] = this.runners.values()
    this.sole = this.runners.size === 1 ? first : null
    for (let index = 0; index < this.#subscriptions.length; index++) this.#subscriptions[index] = []
    for (const runner of this.runners.values()) {
      runner.strategy.instruments.forEach((id, slot) => {
        this.#subscriptions[instruments.indexOf(id)]?.push({ runner, slot })
      })
    }
    instruments.all.forEach((instrument, index) => {
      const listeners = this.subscriptionsTo(index)
      const intervals = new Set(listeners.flatMap(({ runner }) => runner.strategy.interval ?? []))
      const remaining = this.feedsOf(index).filter(({ interval }) => intervals.has(interval))
      const fresh = [...intervals].filter((interval) => !remaining.some((feed) => feed.interval === interval))
      this.#feeds[index] = [...remaining, ...fresh.map((interval) => new BarFeed(instrument.id, interval))]
      this.isSubscribed[index] = this.#isBusUp && listeners.length > 0 ? 1 : 0
    })
  }
}

/**
 * Runs a strategy on a bar, or on a quote if the bar is null, and returns why it failed, or null. An exception of a
 * strategy stops only that strategy; the engine's own work is outside.
 */
export function attempt(runner: Runner, slot: number, bar: StrategyBar | null): string | null {
  const { strategy, context } = runner
  try {
    if (bar === null) strategy.onQuote?.(slot, context)
    else strategy.onBar?.(bar, context)
    return null
  } catch (cause) {
    return reasonOf(runner, cause)
  }
}

/** Adds the intents of a strategy outside the engine to its context; returns what is invalid, or null. */
export function attemptIntents(runner: Runner, intents: readonly Intent[]): string | null {
  const { context } = runner
  try {
    for (const intent of intents) {
      if (intent.type === 'cancel') context.cancel(intent.orderId)
      else if (intent.type === 'target') context.target(intent.slot, intent.lots)
      else context.place(intent.slot, intent.side, intent.lots, intent.options)
    }
    return null
  } catch (cause) {
    return reasonOf(runner, cause)
  }
}

const REASON_MAX_CHARS = 500

function reasonOf({ context }: Runner, cause: unknown): string {
  context.intents.clear()
  const reason = cause instanceof Error ? cause.message : String(cause)
  return reason.slice(0, REASON_MAX_CHARS) || 'failed without a message'
}

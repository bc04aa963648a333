import type { BarColumns } from '#market/history.ts'
import type { Interval } from '#market/interval.ts'
import type { BarTick } from '#market/tick.ts'
import type { StrategyId } from '#values/ids.ts'
import { attempt } from './attempt.ts'
import { BarFeed } from './bar-feed.ts'
import { DeskFor, type DeskSources } from './desk-for.ts'
import { hearsBars, type Runner } from './runner.ts'
import type { Strategy, StrategyBar, StrategyKind } from './strategy.ts'

interface Listener {
  readonly runner: Runner
  readonly slot: number
}

/** The strategies that run now, and who hears what. It acts on nothing by itself. */
export class LiveStrategies {
  /** 1 for an instrument that a running strategy listens to, while the message bus is up. */
  readonly hears: Uint8Array
  readonly kinds: readonly StrategyKind[]
  readonly runners = new Map<StrategyId, Runner>()
  /** The one that runs, when there is one alone. */
  sole: Runner | null = null
  /** Strategies that should run and cannot be made any more, with the reason. */
  readonly broken = new Map<StrategyId, string>()
  /** The bar being told. */
  readonly bar: StrategyBar = { slot: 0, start: 0, open: 0, high: 0, low: 0, close: 0, volume: 0 }
  readonly #sources: DeskSources
  readonly #listeners: Listener[][]
  readonly #feeds: BarFeed[][]
  #isBusUp = false

  constructor(sources: DeskSources, kinds: readonly StrategyKind[]) {
    const { all } = sources.instruments
    this.#sources = sources
    this.kinds = kinds
    this.hears = new Uint8Array(all.length)
    this.#listeners = all.map(() => [])
    this.#feeds = all.map(() => [])
  }

  listenersTo(index: number): readonly Listener[] {
    return this.#listeners[index] ?? []
  }

  feedsOf(index: number): readonly BarFeed[] {
    return this.#feeds[index] ?? []
  }

  /** Lets a strategy run; what others have heard of its bars it is told at once. */
  start(id: StrategyId, strategy: Strategy): void {
    const desk = new DeskFor(this.#sources, id, strategy.instruments)
    const cool = { addFrom: 0, reduceFrom: 0, coolMs: 0 }
    const runner: Runner = { id, strategy, desk, next: null, heard: 0, isOver: false, ...cool }
    this.runners.set(id, runner)
    this.#retune()
    this.#tellPast(runner)
  }

  stop(id: StrategyId): void {
    const runner = this.runners.get(id)
    if (runner === undefined) return
    runner.isOver = true
    this.runners.delete(id)
    this.#retune()
  }

  /** Puts the new strategy into the place of the old one. */
  swap(runner: Runner, next: Strategy): void {
    runner.strategy = next
    runner.desk = new DeskFor(this.#sources, runner.id, next.instruments)
    runner.next = null
    runner.heard = 0
    this.#retune()
    this.#tellPast(runner)
  }

  /** Tells bars of the past to those who listen to them; what is older than what they have heard is passed over. */
  prime(bars: BarColumns): void {
    const index = this.#sources.instruments.indexOf(bars.instrument)
    const feed = this.#feeds[index]?.find(({ interval }) => interval === bars.interval)
    if (feed === undefined) return
    for (let row = 0; row < bars.length; row++) {
      if (feed.recall(bars, row, this.bar)) this.#tellAllOfPast(index, bars.interval)
    }
  }

  /** The same for one bar that came as a tick. */
  recall(tick: BarTick, index: number): void {
    for (const feed of this.feedsOf(index)) {
      if (feed.take(tick, this.bar)) this.#tellAllOfPast(index, tick.interval)
    }
  }

  #tellAllOfPast(index: number, interval: Interval): void {
    for (const { runner, slot } of this.listenersTo(index)) {
      if (hearsBars(runner, interval)) this.#tellOfPast(runner, slot, this.bar)
    }
  }

  /** Returns the latest bars of everything that is listened to, for whoever starts the engine again. */
  recent(): BarColumns[] {
    return this.#feeds.flatMap((feeds) => feeds.map((feed) => feed.recent()))
  }

  setBus(isUp: boolean): void {
    if (isUp === this.#isBusUp) return
    this.#isBusUp = isUp
    this.#retune()
  }

  #tellPast(runner: Runner): void {
    const { instruments, interval } = runner.strategy
    if (interval === null) return
    instruments.forEach((id, slot) => {
      const feed = this.#feeds[this.#sources.instruments.indexOf(id)]?.find(
        (each) => each.interval === interval,
      )
      feed?.retell(this.bar, (bar) => this.#tellOfPast(runner, slot, bar))
    })
  }

  /** One that fails on the past cannot run; it is said so with the next input. */
  #tellOfPast(runner: Runner, slot: number, bar: StrategyBar): void {
    runner.desk.isLive = false
    bar.slot = slot
    runner.heard += 1
    const failure = attempt(runner, slot, bar)
    if (failure !== null) this.broken.set(runner.id, failure)
  }

  /** Says anew who listens to what; lists that are being walked stay as they are. */
  #retune(): void {
    const { instruments } = this.#sources
    const [first = null] = this.runners.values()
    this.sole = this.runners.size === 1 ? first : null
    for (let index = 0; index < this.#listeners.length; index++) this.#listeners[index] = []
    for (const runner of this.runners.values()) {
      runner.strategy.instruments.forEach((id, slot) => {
        this.#listeners[instruments.indexOf(id)]?.push({ runner, slot })
      })
    }
    instruments.all.forEach((instrument, index) => {
      const listeners = this.listenersTo(index)
      const intervals = new Set(listeners.flatMap(({ runner }) => runner.strategy.interval ?? []))
      const kept = this.feedsOf(index).filter(({ interval }) => intervals.has(interval))
      const fresh = [...intervals].filter((interval) => !kept.some((feed) => feed.interval === interval))
      this.#feeds[index] = [...kept, ...fresh.map((interval) => new BarFeed(instrument.id, interval))]
      this.hears[index] = this.#isBusUp && listeners.length > 0 ? 1 : 0
    })
  }
}

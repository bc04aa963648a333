import { barStart, INTERVAL_MS, type Interval } from '#model/interval.ts'
import { type Instant, instantFromMs } from '#values/instant.ts'

/** One bar in ticks and lots; `start` is its first millisecond. */
export interface Bar {
  readonly interval: Interval
  readonly start: Instant
  readonly open: number
  readonly high: number
  readonly low: number
  readonly close: number
  readonly volume: number
  readonly trades: number
}

/** Builds bars of several intervals from one instrument's trades; only a finished bar allocates. */
export interface BarBuilder {
  /** Adds a trade. Bars that it ends are passed on first, shortest interval first. */
  trade(at: Instant, price: number, size: number): void
  /** Ends the bars that are due, for when no trade arrives. */
  advance(at: Instant): void
  /** Returns the bar under way; null when it has no trade yet. */
  current(interval: Interval): Bar | null
  /** Adds a bar that lies within the bars under way, as when they are continued after a restart. */
  resume(bar: Bar): void
}

interface OpenBar {
  readonly interval: Interval
  readonly lengthMs: number
  start: Instant | null
  open: number
  high: number
  low: number
  close: number
  volume: number
  trades: number
}

/** Creates a builder; an interval without trades has no bar. */
export function createBarBuilder(intervals: readonly Interval[], onBar: (bar: Bar) => void): BarBuilder {
  const growing = intervals.map(createOpenBar)

  function advance(at: Instant): void {
    for (const bar of growing) {
      if (bar.start !== null && at >= bar.start + bar.lengthMs) {
        onBar(toBar(bar, bar.start))
        bar.start = null
      }
    }
  }

  return {
    advance,
    trade(at, price, size) {
      advance(at)
      for (const bar of growing) add(bar, at, price, size)
    },
    current(interval) {
      const bar = growing.find((candidate) => candidate.interval === interval)
      return bar === undefined || bar.start === null ? null : toBar(bar, bar.start)
    },
    resume(part) {
      advance(part.start)
      for (const bar of growing) if (bar.lengthMs >= INTERVAL_MS[part.interval]) addPart(bar, part)
    },
  }
}

/** Returns the end of a bar. */
export function barEnd(bar: Pick<Bar, 'start' | 'interval'>): Instant {
  return instantFromMs(bar.start + INTERVAL_MS[bar.interval])
}

function createOpenBar(interval: Interval): OpenBar {
  return {
    interval,
    lengthMs: INTERVAL_MS[interval],
    start: null,
    open: 0,
    high: 0,
    low: 0,
    close: 0,
    volume: 0,
    trades: 0,
  }
}

function add(bar: OpenBar, at: Instant, price: number, size: number): void {
  if (bar.start === null) {
    bar.start = barStart(at, bar.interval)
    bar.open = bar.high = bar.low = price
    bar.volume = bar.trades = 0
  }
  bar.high = Math.max(bar.high, price)
  bar.low = Math.min(bar.low, price)
  bar.close = price
  bar.volume += size
  bar.trades += 1
}

function addPart(bar: OpenBar, part: Bar): void {
  if (bar.start === null) {
    bar.start = barStart(part.start, bar.interval)
    bar.open = part.open
    bar.high = part.high
    bar.low = part.low
    bar.volume = bar.trades = 0
  }
  bar.high = Math.max(bar.high, part.high)
  bar.low = Math.min(bar.low, part.low)
  bar.close = part.close
  bar.volume += part.volume
  bar.trades += part.trades
}

function toBar(bar: OpenBar, start: Instant): Bar {
  const { interval, open, high, low, close, volume, trades } = bar
  return Object.freeze({ interval, start, open, high, low, close, volume, trades })
}

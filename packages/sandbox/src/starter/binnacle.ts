/**
 * The API of custom strategies. A module exports a function `createStrategy`. It is called once, before the first bar,
 * and returns the callbacks. Prices are in quote currency, quantities in base currency, times in milliseconds since
 * 1970. The module runs in a separate process without network and packages; it can import only files of its folder.
 */
export type CreateStrategy = (setting: Setting) => Strategy

/** The configuration of the strategy. */
export interface Setting {
  /** The strategy's id, such as `S-4`. */
  readonly strategy: string
  /** The instruments it trades. The first is the default wherever an instrument is optional. */
  readonly instruments: readonly Instrument[]
  /** Length of a bar. */
  readonly intervalMs: number
  /** The JSON object `parameters` of the configuration. */
  readonly parameters: Readonly<Record<string, unknown>>
}

export interface Instrument {
  /** Such as `BTCUSDT`, or `BTCUSDT.BYBIT` on another venue than the primary one. */
  readonly id: string
  readonly venue: string
  readonly base: string
  readonly quote: string
  /** Price step. Prices are rounded to the nearest step. */
  readonly tickSize: number
  /** Quantity step. Quantities are rounded down. */
  readonly lotSize: number
  /** Smaller orders are not sent. */
  readonly minQuantity: number
}

/** Callbacks are synchronous and must return within 1 s: no promises, no timers. Max 50 orders per callback, burst 200, then 5/s. */
export interface Strategy {
  /** Called at the end of a bar. While `desk.isLive` is false it is a warm-up bar and orders are not sent. */
  onBar?(bar: Bar, desk: Desk): void
  /** Called when the best prices change. A strategy that is slower than the market receives only the latest quote. */
  onQuote?(quote: Quote, desk: Desk): void
}

export interface Bar {
  readonly instrument: string
  readonly start: number
  readonly end: number
  readonly open: number
  readonly high: number
  readonly low: number
  readonly close: number
  readonly volume: number
}

export interface Quote {
  readonly instrument: string
  readonly bid: number
  readonly ask: number
}

/** The current state, and the methods that place orders. Orders pass the same risk checks as any other. */
export interface Desk {
  /** Market time; `Date.now()` returns the same. */
  readonly now: number
  readonly isLive: boolean
  /** The best prices; 0 while there is no quote. */
  bid(instrument?: string): number
  ask(instrument?: string): number
  /** Position of this strategy: above 0 long, below 0 short. Only perpetuals can be short. */
  position(instrument?: string): number
  /** This strategy's working orders. */
  orders(): readonly Order[]
  /** The quantity that an amount of quote currency buys now; 0 if below `minQuantity`. */
  quantityFor(value: number, instrument?: string): number
  buy(quantity: number, terms?: Terms): void
  sell(quantity: number, terms?: Terms): void
  /** Places a market order for the difference to this position; working orders count. */
  target(quantity: number, instrument?: string): void
  cancel(order: string): void
}

export interface Order {
  readonly id: string
  readonly instrument: string
  readonly side: 'BUY' | 'SELL'
  /** Null for a market order. */
  readonly price: number | null
  readonly quantity: number
  readonly filled: number
}

export interface Terms {
  readonly instrument?: string
  /** Limit price. Without it a market order is placed. */
  readonly price?: number
  /** `GTC` (until cancelled) by default. */
  readonly timeInForce?: 'GTC' | 'IOC' | 'FOK'
  /** The order can only reduce the position. */
  readonly reduceOnly?: boolean
}

/**
 * Indicators, updated with each bar at a cost that does not depend on their length:
 * `import { createEma } from './binnacle.ts'`. Each has a `value`, NaN until it has received enough bars; a comparison
 * with NaN is false, so a rule waits by itself.
 */
export interface Indicator<Input = number> {
  /** The latest value; NaN during its warm-up. */
  readonly value: number
  /** Takes the next input and returns the new value. */
  add(input: Input): number
}

/** The mean of the last `length` inputs. */
export function createSma(length: number): Indicator {
  const last = createWindow(length)
  return {
    get value() {
      return last.mean
    },
    add(input) {
      last.add(input)
      return last.mean
    },
  }
}

/** The exponential mean: it begins at the first input and moves by 2 / (length + 1) of the distance to each next one. */
export function createEma(length: number): Indicator {
  return createSmoothed(length, 2 / (wholeLength(length) + 1))
}

/** Wilder's relative strength of gains against losses, 0 to 100. */
export function createRsi(length: number): Indicator {
  const gains = createSmoothed(length, 1 / wholeLength(length))
  const losses = createSmoothed(length, 1 / length)
  let before = Number.NaN
  let value = Number.NaN
  return {
    get value() {
      return value
    },
    add(input) {
      if (!Number.isNaN(before)) {
        const gain = gains.add(Math.max(0, input - before))
        const loss = losses.add(Math.max(0, before - input))
        value = gain + loss === 0 ? 50 : (100 * gain) / (gain + loss)
      }
      before = input
      return value
    },
  }
}

/** Wilder's average true range: how far a bar reaches, gaps to the close before included. */
export function createAtr(length: number): Indicator<Pick<Bar, 'high' | 'low' | 'close'>> {
  const ranges = createSmoothed(length, 1 / wholeLength(length))
  let before = Number.NaN
  return {
    get value() {
      return ranges.value
    },
    add({ high, low, close }) {
      const isFirst = Number.isNaN(before)
      const range = isFirst ? high - low : Math.max(high, before) - Math.min(low, before)
      before = close
      return ranges.add(range)
    },
  }
}

export interface BollingerBands extends Indicator {
  /** The same as `value`: the mean of the last `length` inputs. */
  readonly middle: number
  readonly upper: number
  readonly lower: number
}

/** The mean of the last `length` inputs and a band of `width` standard deviations (of the whole window) around it. */
export function createBollinger(length: number, width = 2): BollingerBands {
  const last = createWindow(length)
  return {
    get value() {
      return last.mean
    },
    get middle() {
      return last.mean
    },
    get upper() {
      return last.mean + width * last.deviation
    },
    get lower() {
      return last.mean - width * last.deviation
    },
    add(input) {
      last.add(input)
      return last.mean
    },
  }
}

/**
 * The average price weighted by volume since 00:00 UTC, or over the last `length` bars. A bar counts with the mean of
 * its high, low and close.
 */
export function createVwap(
  length?: number,
): Indicator<Pick<Bar, 'start' | 'high' | 'low' | 'close' | 'volume'>> {
  const turnover = length === undefined ? createSum() : createWindow(length)
  const volume = length === undefined ? createSum() : createWindow(length)
  let day = Number.NaN
  let value = Number.NaN
  return {
    get value() {
      return value
    },
    add(bar) {
      const today = Math.floor(bar.start / MS_PER_DAY)
      if (length === undefined && today !== day) {
        turnover.clear()
        volume.clear()
      }
      day = today
      turnover.add(((bar.high + bar.low + bar.close) / 3) * bar.volume)
      volume.add(bar.volume)
      value = volume.sum === 0 ? Number.NaN : turnover.sum / volume.sum
      return value
    },
  }
}

const MS_PER_DAY = 86_400_000

function wholeLength(length: number): number {
  if (Number.isInteger(length) && length > 0) return length
  throw new RangeError(`length must be a whole number above 0, not ${String(length)}`)
}

/** An average that moves by `weight` of the distance to each input; NaN before the `length`-th. */
function createSmoothed(length: number, weight: number): Indicator {
  let count = 0
  let level = 0
  let value = Number.NaN
  return {
    get value() {
      return value
    },
    add(input) {
      count += 1
      level = count === 1 ? input : level + weight * (input - level)
      if (count >= length) value = level
      return value
    },
  }
}

interface Sum {
  readonly sum: number
  add(input: number): void
  clear(): void
}

function createSum(): Sum {
  let sum = 0
  return {
    get sum() {
      return sum
    },
    add(input) {
      sum += input
    },
    clear() {
      sum = 0
    },
  }
}

interface Window extends Sum {
  readonly mean: number
  readonly deviation: number
}

/** The last inputs in a ring. Sums are made again at every turn of the ring, so that rounding does not add up. */
function createWindow(given: number): Window {
  const length = wholeLength(given)
  const ring = new Float64Array(length)
  let count = 0
  let sum = 0
  let base = 0
  let squares = 0

  function renew(): void {
    base = ring[0] ?? 0
    sum = squares = 0
    for (const each of ring) {
      sum += each
      squares += (each - base) ** 2
    }
  }

  return {
    get sum() {
      return sum
    },
    get mean() {
      return count < length ? Number.NaN : sum / length
    },
    get deviation() {
      const offset = sum / length - base
      return count < length ? Number.NaN : Math.sqrt(Math.max(0, squares / length - offset * offset))
    },
    add(input) {
      const place = count % length
      const old = ring[place] ?? 0
      ring[place] = input
      count += 1
      if (place === length - 1) renew()
      else {
        sum += input - old
        squares += (input - base) ** 2 - (old - base) ** 2
      }
    },
    clear() {
      ring.fill(0)
      count = sum = base = squares = 0
    },
  }
}

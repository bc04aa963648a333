/** A bar as charts draw it. */
export interface ChartBar {
  /** Its start, in seconds since 1970. */
  time: number
  open: number
  high: number
  low: number
  close: number
  volume: number
}

export type IndicatorName = 'ema' | 'sma' | 'bollinger' | 'rsi' | 'macd' | 'vwap'

export interface IndicatorSetting {
  label: string
  initial: number
  min: number
  max: number
  step: number
}

/** A value per bar; NaN where the indicator has none. */
export type Column = number[]

export interface IndicatorKind {
  title: string
  settings: readonly IndicatorSetting[]
  /** Over the candles, or in a pane of its own below them. */
  pane: 'price' | 'own'
  /** The columns that are drawn come first; further ones carry the state to the next bar. */
  columnCount: number
  /**
   * Sets the columns at one bar. Reads the bars up to it and the columns before it, so that a new or changed last bar
   * costs one step.
   */
  step: (columns: readonly Column[], bars: readonly ChartBar[], index: number, settings: Settings) => void
}

export type Settings = readonly number[]

const PERIOD = { label: 'Period', min: 2, max: 500, step: 1 }

export const INDICATORS: Readonly<Record<IndicatorName, IndicatorKind>> = {
  ema: {
    title: 'EMA',
    settings: [{ ...PERIOD, initial: 20 }],
    pane: 'price',
    columnCount: 1,
    step: ([out = []], bars, index, [period = 0]) => {
      out[index] = nextEma(out, closeAt(bars), index, { period, first: 0 })
    },
  },
  sma: {
    title: 'SMA',
    settings: [{ ...PERIOD, initial: 20 }],
    pane: 'price',
    columnCount: 1,
    step: ([out = []], bars, index, [period = 0]) => {
      out[index] = meanOf(closeAt(bars), index, period)
    },
  },
  bollinger: {
    title: 'Bollinger',
    settings: [
      { ...PERIOD, initial: 20 },
      { label: 'Deviations', initial: 2, min: 0.1, max: 10, step: 0.1 },
    ],
    pane: 'price',
    columnCount: 3,
    step: ([middle = [], upper = [], lower = []], bars, index, [period = 0, deviations = 0]) => {
      const close = closeAt(bars)
      const mean = meanOf(close, index, period)
      const width = deviations * Math.sqrt(meanOf((at) => (close(at) - mean) ** 2, index, period))
      middle[index] = mean
      upper[index] = mean + width
      lower[index] = mean - width
    },
  },
  rsi: {
    title: 'RSI',
    settings: [{ ...PERIOD, initial: 14 }],
    pane: 'own',
    columnCount: 3,
    step: ([out = [], gains = [], losses = []], bars, index, [period = 0]) => {
      const close = closeAt(bars)
      const change = (at: number) => close(at) - close(at - 1)
      gains[index] = nextWilder(gains, (at) => Math.max(0, change(at)), index, period)
      losses[index] = nextWilder(losses, (at) => Math.max(0, -change(at)), index, period)
      const sum = valueAt(gains, index) + valueAt(losses, index)
      // Without any movement it is in the middle.
      out[index] = sum === 0 ? 50 : (100 * valueAt(gains, index)) / sum
    },
  },
  macd: {
    title: 'MACD',
    settings: [
      { ...PERIOD, label: 'Fast', initial: 12 },
      { ...PERIOD, label: 'Slow', initial: 26 },
      { ...PERIOD, label: 'Signal', initial: 9 },
    ],
    pane: 'own',
    columnCount: 5,
    step: (columns, bars, index, [fast = 0, slow = 0, smoothing = 0]) => {
      const [line = [], signal = [], histogram = [], fastEma = [], slowEma = []] = columns
      const close = closeAt(bars)
      fastEma[index] = nextEma(fastEma, close, index, { period: fast, first: 0 })
      slowEma[index] = nextEma(slowEma, close, index, { period: slow, first: 0 })
      line[index] = valueAt(fastEma, index) - valueAt(slowEma, index)
      const first = Math.max(fast, slow) - 1
      signal[index] = nextEma(signal, (at) => valueAt(line, at), index, { period: smoothing, first })
      histogram[index] = valueAt(line, index) - valueAt(signal, index)
    },
  },
  vwap: {
    title: 'VWAP',
    settings: [{ label: 'Session in hours', initial: 24, min: 1, max: 24, step: 1 }],
    pane: 'price',
    columnCount: 3,
    step: ([out = [], notional = [], volume = []], bars, index, [hours = 24]) => {
      const bar = bars[index]
      if (bar === undefined) return
      const before = bars[index - 1]
      // The average of a session is unknown until the bars from its start are loaded.
      const isStart =
        before === undefined ? isSessionStart(bar, hours) : sessionOf(bar, hours) !== sessionOf(before, hours)
      const typical = (bar.high + bar.low + bar.close) / 3
      notional[index] = (isStart ? 0 : valueAt(notional, index - 1)) + typical * bar.volume
      volume[index] = (isStart ? 0 : valueAt(volume, index - 1)) + bar.volume
      out[index] = volume[index] === 0 ? Number.NaN : valueAt(notional, index) / valueAt(volume, index)
    },
  },
}

export interface ChosenIndicator {
  name: IndicatorName
  settings: Settings
}

/** Computes the columns of one indicator and keeps them while bars are added at the end. */
export class IndicatorColumns {
  readonly #kind: IndicatorKind
  readonly #settings: Settings
  readonly columns: readonly Column[]

  constructor({ name, settings }: ChosenIndicator) {
    this.#kind = INDICATORS[name]
    this.#settings = settings
    this.columns = Array.from({ length: this.#kind.columnCount }, () => [])
  }

  /** Brings the columns up to date with bars that changed from an index on. */
  update(bars: readonly ChartBar[], from: number): void {
    for (const column of this.columns) column.length = Math.min(column.length, bars.length)
    for (let index = from; index < bars.length; index++)
      this.#kind.step(this.columns, bars, index, this.#settings)
  }
}

type Series = (index: number) => number

function closeAt(bars: readonly ChartBar[]): Series {
  return (index) => bars[index]?.close ?? Number.NaN
}

function valueAt(column: Column, index: number): number {
  return column[index] ?? Number.NaN
}

/** The mean of the last values up to an index; NaN while there are too few. */
function meanOf(series: Series, index: number, period: number): number {
  if (index < period - 1) return Number.NaN
  let sum = 0
  for (let at = index - period + 1; at <= index; at++) sum += series(at)
  return sum / period
}

interface EmaOptions {
  period: number
  /** The first index at which the series has a value. */
  first: number
}

/** Begins with the mean of the first values. */
function nextEma(out: Column, series: Series, index: number, { period, first }: EmaOptions): number {
  if (index <= first + period - 1)
    return index < first + period - 1 ? Number.NaN : meanOf(series, index, period)
  const before = valueAt(out, index - 1)
  return before + (2 / (period + 1)) * (series(index) - before)
}

/** Wilder's average: begins with the mean of the first changes, of which the first bar has none. */
function nextWilder(out: Column, series: Series, index: number, period: number): number {
  if (index <= period) return index < period ? Number.NaN : meanOf(series, index, period)
  return (valueAt(out, index - 1) * (period - 1) + series(index)) / period
}

const DAY_SECONDS = 86_400

/** Sessions begin at 00:00 UTC and then every so many hours. */
function sessionOf({ time }: ChartBar, hours: number): number {
  const second = time % DAY_SECONDS
  return time - second + Math.floor(second / (hours * 3600)) * hours * 3600
}

function isSessionStart(bar: ChartBar, hours: number): boolean {
  return sessionOf(bar, hours) === bar.time
}

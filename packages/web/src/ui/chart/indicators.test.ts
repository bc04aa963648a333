import { describe, expect, test } from 'vitest'
import { type ChartBar, IndicatorColumns, type IndicatorName } from './indicators.ts'

/** A walk by a small generator, so that every run computes with the same bars. */
function barsOf(count: number, { start = 0, seconds = 900, seed = 7 } = {}): ChartBar[] {
  let state = seed
  const next = () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    return state / 2_147_483_648
  }
  let price = 67_000
  return Array.from({ length: count }, (_, index) => {
    const open = price
    price += (next() - 0.5) * 80
    const high = Math.max(open, price) + next() * 20
    const low = Math.min(open, price) - next() * 20
    return { time: start + index * seconds, open, high, low, close: price, volume: 1 + next() * 9 }
  })
}

function columnsOf(name: IndicatorName, settings: readonly number[], bars: readonly ChartBar[]) {
  const computed = new IndicatorColumns({ name, settings })
  computed.update(bars, 0)
  return computed.columns
}

const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length
const closes = (bars: readonly ChartBar[]) => bars.map(({ close }) => close)

/** By the closed form: the seed and each later value with its own weight. */
function weightedEma(values: readonly number[], period: number): number {
  const share = 2 / (period + 1)
  const later = values.slice(period)
  const seed = mean(values.slice(0, period)) * (1 - share) ** later.length
  return later.reduce((sum, value, at) => sum + value * share * (1 - share) ** (later.length - 1 - at), seed)
}

const bars = barsOf(300)
const last = bars.length - 1

describe('indicators', () => {
  test('[MKT-40] EMA weighs each close by its age, from the mean of the first ones on', () => {
    const [ema = []] = columnsOf('ema', [20], bars)
    expect(ema.slice(0, 19).every(Number.isNaN)).toBe(true)
    expect(ema[19]).toBeCloseTo(mean(closes(bars).slice(0, 20)), 8)
    expect(ema[last]).toBeCloseTo(weightedEma(closes(bars), 20), 6)
  })

  test('[MKT-40] SMA is the mean of the last closes', () => {
    const [sma = []] = columnsOf('sma', [7], bars)
    expect(sma.slice(0, 6).every(Number.isNaN)).toBe(true)
    for (const at of [6, 100, last]) expect(sma[at]).toBeCloseTo(mean(closes(bars).slice(at - 6, at + 1)), 8)
  })

  test('[MKT-40] Bollinger bands are population deviations around the mean', () => {
    const [middle = [], upper = [], lower = []] = columnsOf('bollinger', [20, 2.5], bars)
    const window = closes(bars).slice(last - 19)
    const squares = mean(window.map((close) => close * close))
    const deviation = Math.sqrt(squares - mean(window) ** 2)
    expect(middle[last]).toBeCloseTo(mean(window), 8)
    expect(upper[last]).toBeCloseTo(mean(window) + 2.5 * deviation, 3)
    expect(lower[last]).toBeCloseTo(mean(window) - 2.5 * deviation, 3)
  })

  test('[MKT-40] RSI compares average gains and losses as Wilder does', () => {
    const [rsi = []] = columnsOf('rsi', [14], bars)
    const changes = closes(bars).map((close, at, all) => close - (all[at - 1] ?? close))
    let gain = mean(changes.slice(1, 15).map((change) => (change > 0 ? change : 0)))
    let loss = mean(changes.slice(1, 15).map((change) => (change < 0 ? -change : 0)))
    expect(rsi[14]).toBeCloseTo(100 - 100 / (1 + gain / loss), 8)
    for (const change of changes.slice(15)) {
      gain += ((change > 0 ? change : 0) - gain) / 14
      loss += ((change < 0 ? -change : 0) - loss) / 14
    }
    expect(rsi[last]).toBeCloseTo(100 - 100 / (1 + gain / loss), 6)
    expect(rsi.slice(0, 14).every(Number.isNaN)).toBe(true)
  })

  test.each([
    ['without any movement', 0, 50],
    ['when it only rises', 1, 100],
    ['when it only falls', -1, 0],
  ])('[MKT-40] RSI %s', (_, slope, expected) => {
    const straight = bars.slice(0, 30).map((bar, at) => ({ ...bar, close: 100 + slope * at }))
    expect(columnsOf('rsi', [14], straight)[0]?.[29]).toBe(expected)
  })

  test('[MKT-40] MACD is the difference of two EMAs, with the EMA of that as its signal', () => {
    const [line = [], signal = [], histogram = []] = columnsOf('macd', [12, 26, 9], bars)
    const difference = (at: number) =>
      weightedEma(closes(bars).slice(0, at + 1), 12) - weightedEma(closes(bars).slice(0, at + 1), 26)
    const lines = Array.from({ length: bars.length - 25 }, (_, at) => difference(at + 25))
    expect(line[last]).toBeCloseTo(difference(last), 6)
    expect(signal[last]).toBeCloseTo(weightedEma(lines, 9), 6)
    expect(histogram[last]).toBeCloseTo(difference(last) - weightedEma(lines, 9), 6)
    expect(Number.isNaN(signal[32])).toBe(true)
    expect(signal[33]).toBeCloseTo(mean(lines.slice(0, 9)), 6)
  })

  test('[MKT-41] VWAP begins at each session and is unknown where its start is not loaded', () => {
    const fromNoon = barsOf(200, { start: 43_200 })
    const [vwap = []] = columnsOf('vwap', [24], fromNoon)
    const midnight = fromNoon.findIndex(({ time }) => time === 86_400)
    expect(vwap.slice(0, midnight).every(Number.isNaN)).toBe(true)
    const session = fromNoon.slice(midnight, midnight + 10)
    const traded = session.map(({ high, low, close, volume }) => ((high + low + close) / 3) * volume)
    const volume = session.reduce((sum, bar) => sum + bar.volume, 0)
    expect(vwap[midnight + 9]).toBeCloseTo(traded.reduce((sum, value) => sum + value, 0) / volume, 6)
    const [hourly = []] = columnsOf('vwap', [1], fromNoon)
    const [first] = fromNoon
    expect(hourly[0]).toBeCloseTo(((first?.high ?? 0) + (first?.low ?? 0) + (first?.close ?? 0)) / 3, 8)
  })

  const all: [IndicatorName, number[]][] = [
    ['ema', [20]],
    ['sma', [20]],
    ['bollinger', [20, 2]],
    ['rsi', [14]],
    ['macd', [12, 26, 9]],
    ['vwap', [4]],
  ]
  test.each(all)(
    '[MKT-42] %s bar by bar equals all at once, also after changes of the last bar',
    (name, settings) => {
      const whole = columnsOf(name, settings, bars)
      const grown = new IndicatorColumns({ name, settings })
      for (let count = 1; count <= bars.length; count++) {
        const unfinished = bars.slice(0, count)
        const closing = unfinished[count - 1] ?? { ...bars[0], close: 0 }
        grown.update(
          [...unfinished.slice(0, -1), { ...closing, close: closing.close + 50, volume: 1 } as ChartBar],
          count - 1,
        )
        grown.update(unfinished, count - 1)
      }
      expect(grown.columns).toEqual(whole)
    },
  )
})

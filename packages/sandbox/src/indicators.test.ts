import { createRandom } from '@binnacle/engine'
import { expect, test } from 'vitest'
import {
  createAtr,
  createBollinger,
  createEma,
  createRsi,
  createSma,
  createVwap,
} from './starter/binnacle.ts'

const random = createRandom(9)
const BARS = Array.from({ length: 400 }, (_, row) => {
  const close = 100 + random.uniform() * 10
  const high = close + random.uniform()
  const low = close - random.uniform()
  return { start: row * 600_000, close, high, low, volume: random.uniform() * 5 }
})
const CLOSES = BARS.map(({ close }) => close)
const LENGTH = 14

const mean = (values: readonly number[]) => values.reduce((sum, each) => sum + each, 0) / values.length
const before = (row: number) => CLOSES.slice(row - LENGTH + 1, row + 1)

/** Wilder's average, written as its definition. */
function smoothed(values: readonly number[], weight: number): number {
  return values.reduce((level, each) => level + weight * (each - level))
}

test('[CUST-30] SMA and Bollinger bands are the mean and the deviation of the last closes', () => {
  const sma = createSma(LENGTH)
  const bands = createBollinger(LENGTH, 2)
  CLOSES.forEach((close, row) => {
    const value = sma.add(close)
    bands.add(close)
    if (row < LENGTH - 1) {
      expect([value, bands.middle, bands.upper, bands.lower]).toEqual(Array(4).fill(Number.NaN))
      return
    }
    const middle = mean(before(row))
    const deviation = Math.sqrt(mean(before(row).map((each) => (each - middle) ** 2)))
    expect(value).toBeCloseTo(middle, 9)
    expect(bands.value).toBeCloseTo(middle, 9)
    expect(bands.upper).toBeCloseTo(middle + 2 * deviation, 9)
    expect(bands.lower).toBeCloseTo(middle - 2 * deviation, 9)
  })
})

test('[CUST-30] EMA, RSI and ATR follow their definitions and are NaN before enough bars', () => {
  const ema = createEma(LENGTH)
  const rsi = createRsi(LENGTH)
  const atr = createAtr(LENGTH)
  BARS.forEach((bar, row) => {
    ema.add(bar.close)
    rsi.add(bar.close)
    atr.add(bar)
    const closes = CLOSES.slice(0, row + 1)
    const moves = closes.slice(1).map((close, nth) => close - (closes[nth] ?? 0))
    const ranges = BARS.slice(0, row + 1).map(({ high, low }, nth) => {
      const last = CLOSES[nth - 1]
      return last === undefined
        ? high - low
        : Math.max(high - low, Math.abs(high - last), Math.abs(low - last))
    })
    if (row < LENGTH - 1) expect([ema.value, atr.value]).toEqual([Number.NaN, Number.NaN])
    else {
      expect(ema.value).toBeCloseTo(smoothed(closes, 2 / (LENGTH + 1)), 9)
      expect(atr.value).toBeCloseTo(smoothed(ranges, 1 / LENGTH), 9)
    }
    if (moves.length < LENGTH) expect(rsi.value).toBeNaN()
    else {
      const gain = smoothed(
        moves.map((move) => Math.max(0, move)),
        1 / LENGTH,
      )
      const loss = smoothed(
        moves.map((move) => Math.max(0, -move)),
        1 / LENGTH,
      )
      expect(rsi.value).toBeCloseTo(100 - 100 / (1 + gain / loss), 9)
    }
  })
})

test('[CUST-30] VWAP begins again at midnight, or covers the last bars', () => {
  const daily = createVwap()
  const rolling = createVwap(LENGTH)
  const weighted = (bars: typeof BARS) => {
    const volume = bars.reduce((sum, bar) => sum + bar.volume, 0)
    return bars.reduce((sum, bar) => sum + ((bar.high + bar.low + bar.close) / 3) * bar.volume, 0) / volume
  }
  BARS.forEach((bar, row) => {
    const today = Math.floor(bar.start / 86_400_000)
    const ofDay = BARS.slice(0, row + 1).filter(({ start }) => Math.floor(start / 86_400_000) === today)
    expect(daily.add(bar)).toBeCloseTo(weighted(ofDay), 9)
    expect(rolling.add(bar)).toBeCloseTo(weighted(BARS.slice(Math.max(0, row - LENGTH + 1), row + 1)), 9)
  })
})

test('[CUST-30] flat prices have an RSI of 50 and bands of no width', () => {
  const rsi = createRsi(3)
  const bands = createBollinger(3)
  for (let bar = 0; bar < 8; bar++) {
    rsi.add(5)
    bands.add(5)
  }
  expect(rsi.value).toBe(50)
  expect([bands.lower, bands.middle, bands.upper]).toEqual([5, 5, 5])
})

test('[CUST-30] a length that is no whole number above 0 is refused', () => {
  for (const create of [createSma, createEma, createRsi, createAtr, createBollinger, createVwap]) {
    expect(() => create(0)).toThrow('length must be a whole number above 0, not 0')
    expect(() => create(1.5)).toThrow('length must be a whole number above 0, not 1.5')
  }
})

import { describe, expect, test } from 'vitest'
import { bandAfter, quantile, resampleTrades } from './resample.ts'

describe('resampled trades', () => {
  test('[BT-34] equal trades have a band without width', () => {
    expect(bandAfter([2.5], 8)).toEqual({ low: 20, median: 20, high: 20 })
    expect(bandAfter([], 8)).toBeUndefined()
    expect(bandAfter([-1, 1], 0)).toEqual({ low: 0, median: 0, high: 0 })
  })

  test('[BT-34] the band of wins and losses of one size is that of the binomial distribution', () => {
    // The 5th, 50th and 95th percentile of 100 tosses are 42, 50 and 58.
    const band = bandAfter([-1, 1], 100)
    expect(Math.abs((band?.low ?? 0) + 16)).toBeLessThanOrEqual(2)
    expect(Math.abs(band?.median ?? 9)).toBeLessThanOrEqual(2)
    expect(Math.abs((band?.high ?? 0) - 16)).toBeLessThanOrEqual(2)
  })

  test('[BT-34] many trades have the band of the normal distribution', () => {
    const band = bandAfter([-1, 3], 10_000)
    expect(band?.median).toBeCloseTo(10_000, 9)
    expect(band?.high).toBeCloseTo(10_000 + 1.6448536269514722 * 200, 9)
    expect(band?.low).toBeCloseTo(10_000 - 1.6448536269514722 * 200, 9)
  })

  test('[BT-36] a path begins at the capital, and trades that only lose have one drawdown', () => {
    const resampled = resampleTrades([-1, -1, -1, -1], 100)
    expect(resampled?.steps[0]).toEqual({ trades: 0, band: { low: 100, median: 100, high: 100 } })
    expect(resampled?.steps.at(-1)).toEqual({ trades: 4, band: { low: 96, median: 96, high: 96 } })
    expect(resampled?.drawdown.median).toBeCloseTo(0.04, 12)
    expect(resampleTrades([5], 100)).toBeUndefined()
  })

  test('[BT-36] a long path has few steps, the last one included, and is the same every time', () => {
    const results = Array.from({ length: 1_000 }, (_, nth) => ((nth * 7) % 13) - 5.5)
    const resampled = resampleTrades(results, 10_000)
    expect(resampled?.steps.length).toBeLessThanOrEqual(62)
    expect(resampled?.steps.at(-1)?.trades).toBe(1_000)
    expect(resampled).toEqual(resampleTrades(results, 10_000))
  })

  test.each([
    [0.05, 1.2],
    [0.5, 3],
    [0.95, 4.8],
  ])('[BT-36] the %d quantile of 1 to 5 is %d', (share, value) => {
    expect(quantile([1, 2, 3, 4, 5], share)).toBeCloseTo(value, 12)
  })
})

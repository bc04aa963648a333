import { describe, expect, test } from 'vitest'
import { createRandom } from '#market/random.ts'
import {
  expectedBestSharpe,
  momentsOf,
  normalCdf,
  normalQuantile,
  probabilisticSharpe,
} from './deflated-sharpe.ts'

describe('[BT-41] the normal distribution', () => {
  test.each([
    [0, 0.5],
    [1, 0.841344746068543],
    [1.959963984540054, 0.975],
    [-2.326347874040841, 0.01],
    [-6, 9.865876450376946e-10],
    [9, 1],
    [-9, 0],
  ])('has %d at a probability of %d', (x, probability) => {
    expect(Math.abs(normalCdf(x) - probability)).toBeLessThan(1e-15)
  })

  test.each([0.001, 0.05, 0.5, 0.8, 0.975, 0.9999])('has its quantile of %d where it says so', (share) => {
    expect(Math.abs(normalCdf(normalQuantile(share)) - share)).toBeLessThan(1e-14)
  })

  test('has the published quantiles', () => {
    expect(Math.abs(normalQuantile(0.95) - 1.6448536269514722)).toBeLessThan(1e-12)
    expect(Math.abs(normalQuantile(0.999) - 3.090232306167813)).toBeLessThan(1e-11)
  })
})

/** Simpson's rule over the density: a way of its own to the same figure. */
function integratedCdf(x: number): number {
  const steps = 20_000
  const width = (x + 9) / steps
  let sum = 0
  for (let nth = 0; nth <= steps; nth++) {
    const at = -9 + nth * width
    const weight = nth === 0 || nth === steps ? 1 : nth % 2 === 1 ? 4 : 2
    sum += weight * Math.exp((-at * at) / 2)
  }
  return (sum * width) / 3 / Math.sqrt(2 * Math.PI)
}

describe('[BT-41] the deflated Sharpe ratio', () => {
  test('of 20 generated runs is that of an independent calculation', () => {
    for (let seed = 1; seed <= 20; seed++) {
      const random = createRandom(seed)
      const returns = Array.from({ length: 50 + seed * 17 }, () => 0.0004 + 0.01 * random.normal() ** 3)
      const { mean, deviation, skewness, kurtosis } = momentsOf(returns)
      const raw = (power: number) => returns.reduce((sum, one) => sum + one ** power, 0) / returns.length
      const [m1, m2, m3, m4] = [raw(1), raw(2), raw(3), raw(4)]
      const variance = m2 - m1 * m1
      expect(Math.abs(mean - m1)).toBeLessThan(1e-12)
      expect(
        Math.abs(deviation - Math.sqrt((variance * returns.length) / (returns.length - 1))),
      ).toBeLessThan(1e-12)
      expect(Math.abs(skewness - (m3 - 3 * m1 * m2 + 2 * m1 ** 3) / variance ** 1.5)).toBeLessThan(1e-9)
      const fourth = m4 - 4 * m1 * m3 + 6 * m1 ** 2 * m2 - 3 * m1 ** 4
      expect(Math.abs(kurtosis - fourth / variance ** 2)).toBeLessThan(1e-9)
      const benchmark = 0.02
      const sharpe = mean / deviation
      const z =
        ((sharpe - benchmark) * Math.sqrt(returns.length - 1)) /
        Math.sqrt(1 - skewness * sharpe + ((kurtosis - 1) / 4) * sharpe ** 2)
      const found = probabilisticSharpe(momentsOf(returns), benchmark) ?? Number.NaN
      expect(Math.abs(found - integratedCdf(z))).toBeLessThan(1e-9)
    }
  })

  test('falls with the number of trials, and one trial expects nothing', () => {
    expect(expectedBestSharpe(1, 0.1)).toBe(0)
    const [few, many] = [expectedBestSharpe(10, 0.1), expectedBestSharpe(1_000, 0.1)]
    // The published approximation: for ten trials of deviation one about 1.574598.
    expect(few).toBeCloseTo(0.15746, 4)
    expect(many).toBeGreaterThan(few)
  })

  test('is undefined for equal returns and for fewer than two', () => {
    expect(probabilisticSharpe(momentsOf([0.1, 0.1]), 0)).toBeNull()
    expect(probabilisticSharpe(momentsOf([0.1]), 0)).toBeNull()
    expect(momentsOf([])).toMatchObject({ count: 0, mean: 0, deviation: 0 })
  })
})

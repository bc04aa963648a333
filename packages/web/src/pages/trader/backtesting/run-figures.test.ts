import type { BacktestTrade } from '@binnacle/contract'
import { describe, expect, test } from 'vitest'
import {
  costsOf,
  countResults,
  extremesOf,
  missingBars,
  monthlyReturns,
  resultBins,
  timeLeftMs,
} from './run-figures.ts'
import { REQUEST } from './testkit.ts'

const HOUR_MS = 3_600_000

/** A seeded walk of equity, one point every few hours over more than a year. */
function walk(seed: number, points: number, stepHours: number) {
  let state = seed
  const next = () => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31
    return state / 2 ** 31
  }
  let equity = 10_000
  return Array.from({ length: points }, (_, index) => {
    equity *= 1 + (next() - 0.49) * 0.02
    const at = new Date(Date.UTC(2025, 9, 17, 5) + index * stepHours * HOUR_MS).toISOString()
    return { at, equity, drawdown: 0 }
  })
}

/** The return of each point, with the moment before it, which lies in the month that it belongs to. */
function stepsOf(curve: ReturnType<typeof walk>): { before: string; step: number }[] {
  return curve.map(({ at, equity }, index) => ({
    before: new Date(Date.parse(at) - 1).toISOString(),
    step: equity / (curve[index - 1]?.equity ?? 10_000),
  }))
}

/** Compounds the returns of a month or year: no month's end is looked up. */
function compounded(steps: ReturnType<typeof stepsOf>, time: string): number | undefined {
  const within = steps.filter(({ before }) => before.startsWith(time))
  return within.length === 0 ? undefined : within.reduce((product, { step }) => product * step, 1) - 1
}

describe('monthly returns', () => {
  test.each([1, 2, 3, 4, 5])('[BT-20] equal the compounded returns of their points, walk %i', (seed) => {
    const curve = walk(seed, 1_900, 6)
    const steps = stepsOf(curve)
    const years = monthlyReturns(10_000, curve)
    expect(years.map(({ year }) => year)).toEqual([2025, 2026, 2027])
    for (const { year, months, total } of years) {
      for (const [month, value] of months.entries()) {
        const name = `${year}-${String(month + 1).padStart(2, '0')}`
        const wanted = compounded(steps, name)
        if (wanted === undefined) expect(value).toBeUndefined()
        else expect(Math.abs((value ?? Number.NaN) - wanted)).toBeLessThan(1e-9)
      }
      const wanted = compounded(steps, String(year)) ?? Number.NaN
      expect(Math.abs(total - wanted)).toBeLessThan(1e-9)
    }
  })

  test('[BT-20] a point at midnight of the first belongs to the month that ended', () => {
    const curve = [
      { at: '2026-02-01T00:00:00.000Z', equity: 110, drawdown: 0 },
      { at: '2026-02-01T00:01:00.000Z', equity: 99, drawdown: 0 },
    ]
    const [year] = monthlyReturns(100, curve)
    expect(year?.months[0]).toBeCloseTo(0.1, 12)
    expect(year?.months[1]).toBeCloseTo(-0.1, 12)
    expect(extremesOf(year ? [year] : [])).toEqual({ best: year?.months[0], worst: year?.months[1] })
    expect(extremesOf([])).toBeUndefined()
  })
})

describe('results of trades', () => {
  test('[BT-21] every trade is in one bin, and losses and gains never share one', () => {
    const results = walk(9, 500, 1).map(({ equity }) => (equity - 10_000) / 7)
    const bins = resultBins(results)
    expect(bins.reduce((sum, { count }) => sum + count, 0)).toBe(500)
    expect(bins.length).toBeLessThanOrEqual(18)
    for (const { from, to, count } of bins) {
      expect(from >= 0 || to <= 0).toBe(true)
      expect(count).toBe(results.filter((result) => result >= from && result < to).length)
    }
  })

  test('[BT-21] no trade has no bin, and equal trades one', () => {
    expect(resultBins([])).toEqual([])
    expect(resultBins([0, 0])).toEqual([{ from: 0, to: 1, count: 2 }])
    expect(resultBins([5]).at(-1)).toMatchObject({ count: 1 })
  })

  test('[BT-21] a trade that earned nothing is neither won nor lost', () => {
    // Only the result is read.
    const trades = [1, 0, -2, -3].map((pnl) => ({ pnl }) as BacktestTrade)
    expect(countResults(trades)).toEqual({ won: 1, lost: 2 })
  })
})

test('[BT-22] gross profit, less fees, with funding is the net profit', () => {
  // Only costs are read.
  const statistics = { fees: 30, funding: -5 } as Parameters<typeof costsOf>[0]['statistics']
  expect(costsOf({ statistics, final_equity: 10_100 }, 10_000)).toEqual({
    gross: 135,
    fees: 30,
    funding: -5,
    net: 100,
  })
})

test('[BT-18] the time left follows from the pace so far', () => {
  const startedAt = '2026-01-05T00:00:00.000Z'
  const now = Date.parse(startedAt) + 30_000
  expect(timeLeftMs({ progress: 0.75, started_at: startedAt }, now)).toBeCloseTo(10_000, 6)
  expect(timeLeftMs({ progress: 0, started_at: startedAt }, now)).toBeUndefined()
  expect(timeLeftMs({ progress: 0.5, started_at: null }, now)).toBeUndefined()
})

test('[BT-76] only whole bars of the period are expected, and those of a data set are not', () => {
  const day = { ...REQUEST, interval: '1h' as const, to: '2026-01-06T00:00:00.000Z' }
  expect(missingBars(day, 24)).toBeUndefined()
  expect(missingBars(day, 20)).toEqual({ expected: 24, missingMs: 4 * 3_600_000 })
  // The bars at both ends have a part of their hour only.
  const cut = { ...day, from: '2026-01-05T00:30:00.000Z', to: '2026-01-05T23:30:00.000Z' }
  expect(missingBars(cut, 22)).toBeUndefined()
  expect(missingBars({ ...day, data_set: 'closed-at-night' }, 8)).toBeUndefined()
})

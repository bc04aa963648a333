import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createRandom } from '#market/random.ts'
import { MS_PER_DAY } from '#values/instant.ts'
import { moneyToNumber, nearestMoney } from '#values/money.ts'
import { returnsBy, rollingSharpe } from './calendar.ts'
import { correlationOf } from './correlation.ts'
import { measureEquity } from './equity-figures.ts'
import { backtestLoss, estimateLoss, kupiecRatio } from './loss-methods.ts'
import { addTrade, noTrades, ratiosOfTrades } from './trade-sums.ts'

/** Generated runs: the daily returns of an account, in hundredths of a percent. */
const runs = fc.array(fc.integer({ min: -900, max: 1_000 }), { minLength: 40, maxLength: 400 })
const GENERATED = { numRuns: 20, seed: 17 }
const FIRST_DAY = Date.UTC(2026, 0, 5)

function equitiesOf(changes: readonly number[]): number[] {
  const equities = [100_000]
  for (const change of changes) equities.push((equities.at(-1) ?? 0) * (1 + change / 10_000))
  return equities.slice(1)
}

function daily(equities: readonly number[], lowOf = (equity: number) => equity) {
  return equities.map((equity, day) => ({
    at: FIRST_DAY + (day + 1) * MS_PER_DAY,
    equity,
    low: lowOf(equity),
  }))
}

const measure = (equities: readonly number[], start = 100_000) =>
  measureEquity({ at: FIRST_DAY, equity: start }, daily(equities))

/** Independent of the engine: sums over the whole row, in the order of the textbook. */
const mean = (row: readonly number[]) => row.reduce((sum, value) => sum + value, 0) / row.length
const deviation = (row: readonly number[]) => {
  const centre = mean(row)
  return Math.sqrt(row.reduce((sum, value) => sum + (value - centre) ** 2, 0) / (row.length - 1))
}
const returnsOf = (equities: readonly number[]) =>
  equities.map((equity, day) => equity / (equities[day - 1] ?? 100_000) - 1)

function near(found: number | null, expected: number): void {
  expect(found).not.toBeNull()
  expect(Math.abs((found ?? 0) - expected)).toBeLessThanOrEqual(1e-9 * Math.max(1, Math.abs(expected)))
}

describe('[PERF-3] the figures of 20 generated runs are those of an independent calculation, to 1e-9', () => {
  test('return, growth, volatility, Sharpe, Sortino, Calmar and drawdown', () => {
    fc.assert(
      fc.property(runs, (changes) => {
        const equities = equitiesOf(changes)
        const found = measure(equities)
        const row = returnsOf(equities)
        const last = equities.at(-1) ?? 0
        const peaks = equities.map((_, day) => Math.max(100_000, ...equities.slice(0, day + 1)))
        const deepest = Math.max(...equities.map((equity, day) => 1 - equity / (peaks[day] ?? 1)))
        const growth = (last / 100_000) ** (365 / equities.length) - 1
        near(found.totalReturn, last / 100_000 - 1)
        near(found.cagr, growth)
        near(found.volatility, deviation(row) * Math.sqrt(365))
        near(found.sharpe, (mean(row) / deviation(row)) * Math.sqrt(365))
        const below = Math.sqrt(mean(row.map((change) => Math.min(0, change) ** 2)))
        near(found.sortino, (mean(row) / below) * Math.sqrt(365))
        near(found.maxDrawdown, deepest)
        near(found.calmar, growth / deepest)
        expect(found.days).toBe(equities.length)
        for (const [day, drawdown] of found.drawdowns.entries())
          near(drawdown, 1 - (equities[day] ?? 0) / (peaks[day] ?? 1))
      }),
      GENERATED,
    )
  })

  test('win rate, payoff, profit factor and expectancy of trades', () => {
    const results = fc.array(fc.integer({ min: -5_000_000_000, max: 6_000_000_000 }), {
      minLength: 1,
      maxLength: 300,
    })
    fc.assert(
      fc.property(results, (units) => {
        const sums = noTrades()
        for (const result of units) addTrade(sums, nearestMoney(result / 1e8))
        const found = ratiosOfTrades(sums)
        const gains = units.filter((result) => result > 0)
        const losses = units.filter((result) => result <= 0)
        const total = (row: readonly number[]) =>
          Number(row.reduce((sum, value) => sum + BigInt(value), 0n)) / 1e8
        near(found.winRate, gains.length / units.length)
        near(found.expectancy, total(units) / units.length)
        const lost = -total(losses)
        if (lost === 0) expect([found.profitFactor, found.payoff]).toEqual([null, null])
        else {
          near(found.profitFactor, total(gains) / lost)
          if (gains.length > 0) near(found.payoff, total(gains) / gains.length / (lost / losses.length))
        }
      }),
      GENERATED,
    )
  })

  test('returns by day, week and month, and rolling Sharpe', () => {
    fc.assert(
      fc.property(runs, (changes) => {
        const equities = equitiesOf(changes)
        const closes = equities.map((equity, day) => ({ day: FIRST_DAY + day * MS_PER_DAY, equity }))
        const days = returnsBy('day', closes, 100_000)
        for (const [day, { change }] of days.entries()) near(change, returnsOf(equities)[day] ?? 0)
        for (const [unit, keyOf] of [
          ['week', (day: number) => String(Math.floor((day - FIRST_DAY) / (7 * MS_PER_DAY)))],
          ['month', (day: number) => new Date(day).toISOString().slice(0, 7)],
        ] as const) {
          const ends = new Map(closes.map(({ day, equity }) => [keyOf(day), equity]))
          const values = [...ends.values()]
          const found = returnsBy(unit, closes, 100_000)
          expect(found).toHaveLength(values.length)
          for (const [index, { change, pnl }] of found.entries()) {
            const before = values[index - 1] ?? 100_000
            near(change, (values[index] ?? 0) / before - 1)
            expect(moneyToNumber(pnl)).toBeCloseTo((values[index] ?? 0) - before, 7)
          }
        }
        const rolling = rollingSharpe(days, 30)
        expect(rolling.slice(0, 29).every((value) => value === null)).toBe(true)
        for (let day = 29; day < days.length; day++) {
          const row = returnsOf(equities).slice(day - 29, day + 1)
          near(rolling[day] ?? null, (mean(row) / deviation(row)) * Math.sqrt(365))
        }
      }),
      GENERATED,
    )
  })

  test('value at risk and expected shortfall by three methods, and the correlation of two rows', () => {
    fc.assert(
      fc.property(runs, fc.integer({ min: 1, max: 999 }), (changes, seed) => {
        const row = returnsOf(equitiesOf(changes)).slice(-250)
        const tail = (outcomes: readonly number[]) => {
          const worst = [...outcomes].sort((one, other) => one - other)
          const beyond = worst.filter((_, index) => index <= Math.floor(0.05 * outcomes.length))
          return [Math.max(0, -(beyond.at(-1) ?? 0)), Math.max(0, -mean(beyond))] as const
        }
        const historical = estimateLoss('historical', row, seed)
        near(historical?.valueAtRisk ?? null, tail(row)[0])
        near(historical?.expectedShortfall ?? null, tail(row)[1])
        const parametric = estimateLoss('parametric', row, seed)
        near(parametric?.valueAtRisk ?? null, Math.max(0, 1.6448536269514722 * deviation(row) - mean(row)))
        near(
          parametric?.expectedShortfall ?? null,
          Math.max(0, 2.062712807507426 * deviation(row) - mean(row)),
        )
        // Each day's volatility from all days before it, written as a sum instead of a recursion.
        const squares = row.map((change) => change ** 2)
        const volatility = Array.from({ length: row.length + 1 }, (_, day) =>
          Math.sqrt(
            0.94 ** day * mean(squares) +
              squares
                .slice(0, day)
                .reduce((sum, square, past) => sum + 0.06 * 0.94 ** (day - 1 - past) * square, 0),
          ),
        )
        const random = createRandom(seed).fork('value-at-risk')
        const drawn = Array.from({ length: 2_000 }, () => {
          const day = Math.floor(random.uniform() * row.length)
          return ((row[day] ?? 0) / (volatility[day] ?? 1)) * (volatility[row.length] ?? 0)
        })
        const simulated = estimateLoss('monte_carlo', row, seed)
        near(simulated?.valueAtRisk ?? null, tail(drawn)[0])
        near(simulated?.expectedShortfall ?? null, tail(drawn)[1])

        const other = row.map((change, day) => change * 0.4 + Math.sin(day) * 0.01)
        const covariance =
          row.reduce(
            (sum, change, day) => sum + (change - mean(row)) * ((other[day] ?? 0) - mean(other)),
            0,
          ) /
          (row.length - 1)
        near(correlationOf(row, other), covariance / deviation(row) / deviation(other))
      }),
      GENERATED,
    )
  })
})

describe('[PERF-4] a figure that is not defined is null', () => {
  test('without a day nothing is defined', () => {
    expect(measure([])).toMatchObject({ totalReturn: 0, cagr: null, sharpe: null, sortino: null, days: 0 })
    expect(ratiosOfTrades(noTrades())).toEqual({
      winRate: null,
      profitFactor: null,
      expectancy: null,
      payoff: null,
    })
  })

  test('one day has a return and no deviation', () => {
    expect(measure([101_000])).toMatchObject({ days: 1, volatility: null, sharpe: null, sortino: null })
  })

  test('equal returns have no Sharpe, however they are rounded', () => {
    for (const change of [0, 10, 33, -33]) {
      const found = measure(equitiesOf(Array.from({ length: 50 }, () => change)))
      expect([change, found.sharpe]).toEqual([change, null])
    }
  })

  test('all losses: no gain, no payoff, and a fall from the start', () => {
    const sums = noTrades()
    for (const loss of [-1, -2]) addTrade(sums, nearestMoney(loss))
    expect(ratiosOfTrades(sums)).toEqual({ winRate: 0, profitFactor: 0, expectancy: -1.5, payoff: null })
    const found = measure([99_000, 98_000])
    expect(found.maxDrawdown).toBeCloseTo(0.02, 12)
    expect(found.sharpe).toBeLessThan(0)
  })

  test('an account without equity has no return', () => {
    expect(measure([10], 0)).toMatchObject({ totalReturn: null, cagr: null })
    expect(returnsBy('day', [{ day: 0, equity: 10 }], 0)[0]).toMatchObject({ change: null })
  })

  test('too few days have no value at risk, and rows without variance no correlation', () => {
    const few = Array.from({ length: 29 }, () => 0.01)
    expect(estimateLoss('historical', few, 1)).toBeNull()
    expect(correlationOf(few, few)).toBeNull()
    expect(correlationOf([1, 2], [1, 2])).toBeNull()
  })
})

test('[PERF-5] a low within an interval counts for the deepest drawdown', () => {
  const found = measureEquity({ at: 0, equity: 100 }, [{ at: MS_PER_DAY, equity: 101, low: 90 }])
  expect(found.maxDrawdown).toBeCloseTo(0.1, 12)
})

test('[PERF-6] the change over days without a record is part of the next day, which says so', () => {
  const closes = [0, 1, 4].map((day) => ({ day: FIRST_DAY + day * MS_PER_DAY, equity: 100 + day }))
  expect(returnsBy('day', closes, 100).map(({ isAfterGap }) => isAfterGap)).toEqual([false, false, true])
  expect(returnsBy('week', closes, 100)).toMatchObject([{ change: 104 / 100 - 1, isAfterGap: true }])
})

describe("[PERF-14] Kupiec's ratio", () => {
  test('compares the likelihood of the count at one in twenty with that at its own share', () => {
    expect(kupiecRatio(100, 4)).toBeCloseTo(
      -2 * (Math.log(0.95 ** 96 * 0.05 ** 4) - Math.log(0.96 ** 96 * 0.04 ** 4)),
      10,
    )
    expect(kupiecRatio(60, 0)).toBeCloseTo(-2 * 60 * Math.log(0.95), 10)
    expect(kupiecRatio(20, 1)).toBeCloseTo(0, 10)
    expect(kupiecRatio(3, 3)).toBeCloseTo(-2 * 3 * Math.log(0.05), 10)
  })

  test('an estimate is tested on the days after it alone', () => {
    const calm = Array.from({ length: 60 }, (_, day) => (day % 2 === 0 ? 0.01 : -0.01))
    const crash = [...calm, -0.5]
    expect(backtestLoss('historical', crash, 1)).toMatchObject({ days: 31, beyond: 1, isPlausible: true })
    expect(backtestLoss('historical', calm.slice(0, 30), 1)).toMatchObject({
      days: 0,
      ratio: null,
      isPlausible: null,
    })
  })
})

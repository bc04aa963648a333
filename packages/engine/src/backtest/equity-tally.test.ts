import { describe, expect, test } from 'vitest'
import { MS_PER_DAY } from '#values/instant.ts'
import { EquityTally } from './equity-tally.ts'
import { statisticsOf } from './statistics.ts'

const NOTHING = { count: 0, won: 0, gained: 0, lost: 0 }
const ACCOUNT = { capital: 100, fees: 0, funding: 0, traded: 0 }
const BARS = { held: 0, all: 0 }

/** Equity at the end of one day after the other. */
function days(...equities: number[]) {
  const tally = new EquityTally(100, 0)
  for (const [day, equity] of equities.entries()) tally.note((day + 1) * MS_PER_DAY, equity)
  tally.finish()
  return statisticsOf(tally, NOTHING, ACCOUNT, BARS)
}

describe('[BT-7] of the equities 110, 99 and 118.8 on three days, returns of 10 %, −10 % and 20 %', () => {
  const figures = days(110, 99, 118.8)

  test('the total return is 18.8 %', () => expect(figures.totalReturn).toBeCloseTo(0.188, 12))

  test('the volatility is 15.275 % a day, 291.8 % a year', () =>
    // √((0.0333² + 0.1667² + 0.1333²) ÷ 2) = 0.152753, times √365
    expect(figures.volatility).toBeCloseTo(0.15275252 * Math.sqrt(365), 6))

  test('Sharpe is the mean of 6.667 % over that, a year', () =>
    expect(figures.sharpe).toBeCloseTo(8.33808, 4))

  test('Sortino is the mean over √(0.1² ÷ 3)', () => expect(figures.sortino).toBeCloseTo(22.06052, 4))

  test('the deepest fall is 10 %, from the first day until the third: two days', () => {
    expect(figures.maxDrawdown).toBeCloseTo(0.1, 12)
    expect(figures.maxDrawdownMs).toBe(2 * MS_PER_DAY)
  })
})

describe('[BT-7] growth per year', () => {
  test('of 100 that become 121 in two years is 10 %; over a fall of 20 % Calmar is a half', () => {
    const tally = new EquityTally(100, 0)
    tally.note(MS_PER_DAY, 80)
    tally.note(730 * MS_PER_DAY, 121)
    tally.finish()
    const { cagr, calmar } = statisticsOf(tally, NOTHING, ACCOUNT, BARS)
    expect(cagr).toBeCloseTo(0.1, 12)
    expect(calmar).toBeCloseTo(0.5, 12)
  })

  test('is not defined for less than a day, nor when all is lost', () => {
    const tally = new EquityTally(100, 0)
    tally.note(MS_PER_DAY - 1, 101)
    expect(statisticsOf(tally, NOTHING, ACCOUNT, BARS).cagr).toBeNull()
    expect(days(50, -1).cagr).toBeNull()
  })
})

test('[BT-7] a fall that never ends lasts until the end, and the deepest one counts, not the longest', () => {
  expect(days(120, 60, 90, 100).maxDrawdownMs).toBe(3 * MS_PER_DAY)
  const figures = days(120, 60, 130, 125, 126, 127, 128)
  expect(figures.maxDrawdown).toBe(0.5)
  expect(figures.maxDrawdownMs).toBe(2 * MS_PER_DAY)
})

test('[BT-7] of trades that earn 30 and 10 and lose 10 and 10, half won, twice as much was won as lost, 5 a trade', () => {
  const tally = new EquityTally(100, 0)
  const figures = statisticsOf(
    tally,
    { count: 4, won: 2, gained: 40, lost: 20 },
    { capital: 100, fees: 3, funding: -1, traded: 450 },
    { held: 3, all: 12 },
  )
  expect(figures).toMatchObject({
    trades: 4,
    winRate: 0.5,
    profitFactor: 2,
    expectancy: 5,
    exposureTime: 0.25,
    turnover: 4.5,
    fees: 3,
    funding: -1,
  })
})

test('[BT-7] what is undefined is null, and nothing is ever NaN or infinite', () => {
  for (const figures of [days(), days(100), days(100, 100), days(110, 121), days(0, 0)]) {
    for (const value of Object.values(figures)) expect(value === null || Number.isFinite(value)).toBe(true)
  }
  expect(days(100)).toMatchObject({
    volatility: null,
    sharpe: null,
    sortino: null,
    winRate: null,
    profitFactor: null,
  })
  expect(days(100, 100)).toMatchObject({ volatility: 0, sharpe: null, sortino: null, calmar: null })
  expect(days(110, 121).sortino).toBeNull()
})

import { describe, expect, test } from 'vitest'
import type { QuoteTick } from '#model/tick.ts'
import { instantFromMs, MS_PER_DAY } from '#values/instant.ts'
import { generateHistory } from './history.ts'
import { createInstruments, standardInstruments } from './instruments.ts'
import { createRandom } from './random.ts'
import { createSimulatedMarket } from './simulated-market.ts'

const NAMES = ['BTCUSDT', 'BTCUSDT.BYBIT', 'ETHUSDT'] as const
const instruments = createInstruments(
  standardInstruments().all.filter(({ id }) => (NAMES as readonly string[]).includes(id)),
)
const from = instantFromMs(Date.UTC(2026, 0, 1))

describe('30 days of invented minutes', () => {
  const closes: number[][] = [[], [], []]
  let isOrdered = true
  for (const { bars } of generateHistory({ instruments, random: createRandom(11), from, days: 30 })) {
    bars.forEach((columns, index) => {
      closes[index]?.push(...columns.close)
      for (let row = 0; row < columns.length; row++) {
        const [open = 0, high = 0, low = 0, close = 0] = [
          columns.open,
          columns.high,
          columns.low,
          columns.close,
        ].map((column) => column[row])
        if (!(low > 0 && low <= open && low <= close && high >= open && high >= close)) isOrdered = false
      }
    })
  }
  const [bitcoin = [], elsewhere = [], ether = []] = closes.map((column) => returnsOf(column, 1))

  test('every bar holds its open and close between low and high', () => {
    expect(isOrdered).toBe(true)
    expect(bitcoin).toHaveLength(30 * 1_440 - 1)
  })

  test('returns have fat tails: excess kurtosis far above the bell curve, more 5-sigma minutes than it allows', () => {
    expect(excessKurtosis(bitcoin)).toBeGreaterThan(3)
    expect(excessKurtosis(returnsOf(closes[0] ?? [], 60))).toBeGreaterThan(1)
    const sigma = Math.sqrt(variance(bitcoin))
    expect(bitcoin.filter((change) => Math.abs(change) > 5 * sigma).length).toBeGreaterThan(20)
  })

  test('volatility clusters: sizes of returns go together for an hour, their signs do not', () => {
    const sizes = bitcoin.map(Math.abs)
    expect(autocorrelation(sizes, 1)).toBeGreaterThan(0.15)
    expect(autocorrelation(sizes, 30)).toBeGreaterThan(0.05)
    expect(Math.abs(autocorrelation(bitcoin, 1))).toBeLessThan(0.12)
    expect(Math.abs(autocorrelation(bitcoin, 30))).toBeLessThan(0.03)
  })

  test('yearly volatility is near its 50 percent', () => {
    const yearly = Math.sqrt(variance(returnsOf(closes[0] ?? [], 60)) * 24 * 365)
    expect(yearly).toBeGreaterThan(0.25)
    expect(yearly).toBeLessThan(0.9)
  })

  test('venues move together but not as one, and assets follow the market', () => {
    expect(correlation(bitcoin, elsewhere)).toBeGreaterThan(0.8)
    expect(correlation(bitcoin, elsewhere)).toBeLessThan(0.99)
    expect(correlation(bitcoin, ether)).toBeGreaterThan(0.5)
    expect(correlation(bitcoin, ether)).toBeLessThan(0.95)
    const apart = (closes[0] ?? []).map((close, row) => Math.abs(close / (closes[1]?.[row] ?? 0) - 1))
    expect(Math.max(...apart)).toBeLessThan(0.005)
    expect(mean(apart)).toBeGreaterThan(0.00002)
  })
})

describe('two days of invented quotes', () => {
  const quotes: QuoteTick[] = []
  let trades = 0
  const market = createSimulatedMarket({ instruments, random: createRandom(5), at: from })
  for (let second = 5; second <= 172_800; second += 5) {
    market.advance(instantFromMs(from + second * 1000), (tick) => {
      if (tick.type === 'trade') trades++
      if (tick.type === 'quote' && tick.instrument === 'BTCUSDT') quotes.push(tick)
    })
  }

  test('the spread widens with volatility', () => {
    const hours = Array.from({ length: 48 }, (_, hour) => quotes.slice(hour * 720, (hour + 1) * 720)).map(
      (hour) => ({
        volatility: Math.sqrt(
          variance(
            returnsOf(
              hour.map(({ bid, ask }) => (bid + ask) / 2),
              12,
            ),
          ),
        ),
        spread: mean(hour.map(({ bid, ask }) => (ask - bid) / bid)),
      }),
    )
    hours.sort((one, other) => one.volatility - other.volatility)
    const calm = mean(hours.slice(0, 12).map(({ spread }) => spread))
    const wild = mean(hours.slice(-12).map(({ spread }) => spread))
    expect(wild).toBeGreaterThan(1.3 * calm)
  })

  test('bid is always below ask and there are trades', () => {
    expect(quotes.every(({ bid, ask, bidSize, askSize }) => bid < ask && bidSize > 0 && askSize > 0)).toBe(
      true,
    )
    expect(trades).toBeGreaterThan(10_000)
  })
})

describe('the seed', () => {
  const ticksOf = (seed: number) => {
    const ticks: unknown[] = []
    const market = createSimulatedMarket({ instruments, random: createRandom(seed), at: from })
    for (let step = 1; step <= 50; step++)
      market.advance(instantFromMs(from + step * 100), (tick) => ticks.push(tick))
    return ticks
  }

  test('the same seed gives the same ticks, another seed others', () => {
    expect(ticksOf(3)).toEqual(ticksOf(3))
    expect(ticksOf(3)).not.toEqual(ticksOf(4))
  })

  test('a market continues from the state that history left behind', () => {
    const [day] = generateHistory({ instruments, random: createRandom(2), from, days: 1 })
    const close = day?.bars[0]?.close.at(-1) ?? 0
    const at = instantFromMs(from + MS_PER_DAY)
    const state = JSON.parse(JSON.stringify(day?.state))
    const market = createSimulatedMarket({ instruments, random: createRandom(9), at, state })
    market.advance(instantFromMs(at + 100), (tick) => {
      if (tick.type === 'quote' && tick.instrument === 'BTCUSDT') {
        expect(Math.abs(tick.bid / close - 1)).toBeLessThan(0.002)
      }
    })
  })

  test('forks of one source are independent of one another and of how often the source was used', () => {
    const one = createRandom(1)
    one.uniform()
    expect(one.fork('a').uniform()).toBe(createRandom(1).fork('a').uniform())
    expect(one.fork('a').uniform()).not.toBe(one.fork('b').uniform())
  })
})

function returnsOf(closes: readonly number[], every: number): number[] {
  const returns: number[] = []
  for (let row = every; row < closes.length; row += every) {
    returns.push(Math.log((closes[row] ?? 1) / (closes[row - every] ?? 1)))
  }
  return returns
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length
}

function variance(values: readonly number[]): number {
  const middle = mean(values)
  return mean(values.map((value) => (value - middle) ** 2))
}

function excessKurtosis(values: readonly number[]): number {
  const middle = mean(values)
  return mean(values.map((value) => (value - middle) ** 4)) / variance(values) ** 2 - 3
}

function correlation(one: readonly number[], other: readonly number[]): number {
  const [oneMean, otherMean] = [mean(one), mean(other)]
  const together = mean(one.map((value, row) => (value - oneMean) * ((other[row] ?? 0) - otherMean)))
  return together / Math.sqrt(variance(one) * variance(other))
}

function autocorrelation(values: readonly number[], lag: number): number {
  return correlation(values.slice(lag), values.slice(0, -lag))
}

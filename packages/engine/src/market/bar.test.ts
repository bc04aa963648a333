import { expect, test } from 'vitest'
import { INTERVAL_MS, INTERVALS } from '#model/interval.ts'
import { instantFromMs, MS_PER_DAY } from '#values/instant.ts'
import { type Bar, barEnd, createBarBuilder } from './bar.ts'

const noon = Date.UTC(2026, 0, 1, 12)
const after = (ms: number) => instantFromMs(noon + ms)

test('a bar holds first, highest, lowest and last trade, the volume and the count', () => {
  const bars: Bar[] = []
  const builder = createBarBuilder(['1m'], (bar) => bars.push(bar))
  builder.trade(after(100), 50, 2)
  builder.trade(after(200), 70, 1)
  builder.trade(after(300), 40, 4)
  builder.trade(after(59_999), 60, 3)
  expect(bars).toEqual([])
  builder.trade(after(60_000), 61, 1)
  expect(bars).toEqual([
    { interval: '1m', start: noon, open: 50, high: 70, low: 40, close: 60, volume: 10, trades: 4 },
  ])
})

test('a bar ends with time even without a trade, and an interval without trades has no bar', () => {
  const bars: Bar[] = []
  const builder = createBarBuilder(['1s'], (bar) => bars.push(bar))
  builder.trade(after(0), 50, 1)
  builder.advance(after(999))
  expect(bars).toHaveLength(0)
  builder.advance(after(1_000))
  builder.advance(after(9_000))
  expect(bars).toHaveLength(1)
  const [bar] = bars
  expect(bar && barEnd(bar)).toBe(noon + 1_000)
})

test('every interval from 1 s to 1 d is aligned to midnight and agrees with the seconds it is made of', () => {
  const bars: Bar[] = []
  const builder = createBarBuilder(INTERVALS, (bar) => bars.push(bar))
  const midnight = Date.UTC(2026, 0, 1)
  for (let second = 0; second < 86_400; second++) {
    builder.trade(
      instantFromMs(midnight + second * 1000 + 7),
      1000 + ((second * 7919) % 613),
      1 + (second % 3),
    )
  }
  builder.advance(instantFromMs(midnight + MS_PER_DAY))
  const seconds = bars.filter(({ interval }) => interval === '1s')
  expect(seconds).toHaveLength(86_400)
  for (const interval of INTERVALS) {
    const own = bars.filter((bar) => bar.interval === interval)
    expect(own).toHaveLength(MS_PER_DAY / INTERVAL_MS[interval])
    for (const bar of own.slice(0, 50)) {
      const first = (bar.start - midnight) / 1000
      const parts = seconds.slice(first, first + INTERVAL_MS[interval] / 1000)
      expect(bar.start % INTERVAL_MS[interval]).toBe(0)
      expect(bar).toMatchObject({
        open: parts[0]?.open,
        close: parts.at(-1)?.close,
        high: parts.reduce((high, part) => Math.max(high, part.high), 0),
        low: parts.reduce((low, part) => Math.min(low, part.low), Number.POSITIVE_INFINITY),
        volume: parts.reduce((sum, part) => sum + part.volume, 0),
      })
    }
  }
})

test('[MKT-2] a bar under way continues from the seconds of an earlier builder', () => {
  const seconds: Bar[] = []
  const earlier = createBarBuilder(['1s', '1m'], (bar) => bar.interval === '1s' && seconds.push(bar))
  const whole = createBarBuilder(['1m'], () => {})
  for (const [at, price] of [
    [61_000, 105],
    [62_500, 103],
    [64_000, 104],
  ] as const) {
    earlier.trade(instantFromMs(at), price, 2)
    whole.trade(instantFromMs(at), price, 2)
  }
  earlier.advance(instantFromMs(65_000))
  const later = createBarBuilder(['1s', '1m'], () => {})
  for (const second of seconds) later.resume(second)
  later.trade(instantFromMs(70_000), 109, 1)
  whole.trade(instantFromMs(70_000), 109, 1)
  expect(later.current('1m')).toEqual(whole.current('1m'))
  expect(later.current('1m')).toMatchObject({ start: 60_000, open: 105, high: 109, low: 103, volume: 7 })
})

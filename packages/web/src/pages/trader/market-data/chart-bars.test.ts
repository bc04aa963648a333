import { describe, expect, test } from 'vitest'
import { joinBars, secondsOf } from './chart-bars.ts'

function aBar(minute: number, close = 100 + minute) {
  const at = new Date(Date.UTC(2026, 0, 5, 10, minute)).toISOString()
  return { at, open: 100, high: 200, low: 50, close, volume: 1 }
}

const closes = (bars: readonly { close: number }[]) => bars.map(({ close }) => close)

describe('bars of a chart', () => {
  test('[MKT-31] live bars replace loaded ones of the same start and continue them', () => {
    const joined = joinBars([aBar(0), aBar(1), aBar(2)], [aBar(1, 7), aBar(2, 8), aBar(3, 9)])
    expect(closes(joined)).toEqual([100, 7, 8, 9])
    expect(joined[0]?.time).toBe(Date.UTC(2026, 0, 5, 10, 0) / 1000)
  })

  test('[MKT-31] loaded bars between live ones stay, such as those of a lost connection', () => {
    const joined = joinBars([aBar(0), aBar(1), aBar(2), aBar(3)], [aBar(1, 7), aBar(4, 9)])
    expect(closes(joined)).toEqual([100, 7, 102, 103, 9])
  })

  test('[MKT-31] an unchanged bar is the same object, by which the chart recognises it', () => {
    const [first, second] = [aBar(0), aBar(1)]
    const before = joinBars([first, second], [])
    const after = joinBars([first, second], [aBar(1, 7)])
    expect(after[0]).toBe(before[0])
    expect(after[1]).not.toBe(before[1])
  })

  test('the length of each interval', () => {
    expect([secondsOf('1s'), secondsOf('15m'), secondsOf('4h'), secondsOf('1d')]).toEqual([
      1, 900, 14_400, 86_400,
    ])
  })
})

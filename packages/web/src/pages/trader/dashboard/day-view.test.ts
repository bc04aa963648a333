import { SAMPLE_POINTS_MAX, type Samples } from '@binnacle/contract'
import { describe, expect, test } from 'vitest'
import { dayBefore, dayWindow } from '#data/samples.ts'
import { CURVE_POINTS, changeToday, dayChart, dayPercent, sparkValues } from './day-view.ts'

const DAY = Date.parse('2026-11-16T00:00:00Z') / 1000

function recorded(from: number, values: readonly (number | null)[], name = 'pnl.today'): Samples {
  const points = values.flatMap((value, index): [number, number, number, number][] =>
    value === null ? [] : [[from + index * 60, value, value, value]],
  )
  return {
    from: new Date(from * 1000).toISOString(),
    to: new Date((from + 7200) * 1000).toISOString(),
    step_s: 60,
    gap_s: 60,
    series: [{ name, points, before: null }],
    marks: [{ at: '2026-11-16T00:01:30Z', kind: 'halted', text: 'Trading is HALTED.' }],
  }
}

describe('the day of the panel', () => {
  test.each([
    ['00:00:01', 2],
    ['01:59:59', 2],
    ['02:00:00', 4],
    ['09:30:00', 16],
    ['23:59:59', 24],
  ])('[TRD-12] at %s the window begins at 00:00 UTC and has %i hours', (time, hours) => {
    const window = dayWindow(Date.parse(`2026-11-16T${time}Z`))
    expect(window).toEqual({ from: DAY, to: DAY + hours * 3600 })
    expect(dayBefore(window)).toEqual({ from: DAY - 86_400, to: DAY + hours * 3600 - 86_400 })
  })

  test('[TRD-12] the curve ends with the figure of now, and yesterday lies under the same hours', () => {
    const yesterday = recorded(DAY - 86_400, [10, 20, 30, 40, 50])
    const chart = dayChart('pnl', recorded(DAY, [1, 2, 3]), yesterday, { at: DAY + 190, value: 7 })
    const inMinutes = ({ at, value }: { at: number; value: number }) => [(at - DAY) / 60, value]
    expect(chart.points.map(inMinutes)).toEqual([
      ...[0, 1 / 3, 2 / 3].map((at) => [at, 1]),
      ...[1, 4 / 3, 5 / 3].map((at) => [at, 2]),
      ...[2, 7 / 3, 8 / 3].map((at) => [at, 3]),
      [3, 7],
    ])
    const lasts = chart.compared.filter((_, index) => index % 3 === 2)
    expect(lasts.map(({ value }) => value)).toEqual([10, 20, 30, 40])
    expect(chart.compared.every(({ at }) => at >= DAY && at < DAY + 240)).toBe(true)
    expect(chart.range).toEqual({ from: DAY, to: DAY + 240, stepS: 20 })
  })

  test.each([
    ['as a minute begins', 180],
    ['just before one ends', 179.999],
    ['at 00:00', 0],
    ['on a clock behind the server', 30],
    ['on a clock before 00:00', -30],
  ])('[SHELL-110] %s the times of the curve rise', (_, afterS) => {
    const now = { at: DAY + afterS, value: 7 }
    const { points, range } = dayChart('pnl', recorded(DAY, [1, 2, 3, 4]), undefined, now)
    const times = points.map(({ at }) => at)
    expect(times).toEqual([...new Set(times)].toSorted((a, b) => a - b))
    expect(times.at(-1)).toBeLessThan(range.to)
    expect(times.at(-1)).toBeGreaterThanOrEqual(range.to - 60)
  })

  test('[TRD-18] marks have their time, a tone by their kind and their sentence', () => {
    const { marks } = dayChart('pnl', recorded(DAY, [1]), undefined, { at: DAY + 60, value: undefined })
    expect(marks).toEqual([{ at: DAY + 90, tone: 'bad', text: 'Trading is HALTED.' }])
  })

  test('[TRD-19] a time without samples is a gap in spark lines', () => {
    const read = recorded(DAY, [1, null, null, 4])
    expect(sparkValues(read, read.series[0], DAY + 240)).toEqual([1, null, null, 4])
    expect(sparkValues(read, undefined, DAY + 240)).toEqual([])
  })

  test('[TRD-12] the lowest and highest point are named once there are two', () => {
    const { extremes } = dayChart('pnl', recorded(DAY, [3, -1, 8]), undefined, { at: DAY + 180, value: 9 })
    expect(extremes).toEqual({ low: { at: DAY + 60, value: -1 }, high: { at: DAY + 180, value: 9 } })
    expect(dayChart('pnl', recorded(DAY, []), undefined, { at: DAY, value: 1 }).extremes).toBeUndefined()
  })

  test('[TRD-220] [TRD-551] the curve holds the extremes of each interval, and the named ones are points of it', () => {
    const read = recorded(DAY, [3, 4, 5])
    const points: [number, number, number, number][] = [
      [DAY, 3, 3, 3],
      [DAY + 60, 4, -7, 6],
      [DAY + 120, 1, 0, 12],
    ]
    const today = { ...read, series: [{ name: 'pnl.today', points, before: null }] }
    const chart = dayChart('pnl', today, undefined, { at: DAY + 130, value: 2 })
    expect(chart.points.map(({ value }) => value)).toEqual([3, 3, 3, -7, 6, 4, 12, 0, 2])
    expect(chart.extremes).toEqual({ low: { at: DAY + 60, value: -7 }, high: { at: DAY + 120, value: 12 } })
    for (const extreme of Object.values(chart.extremes ?? {})) expect(chart.points).toContainEqual(extreme)
  })

  test('[TRD-550] the curve has an interval of its own for each minute, so that the minute of an extreme is right', () => {
    const { from, to } = dayWindow((DAY + 86_399) * 1000)
    expect((to - from) / (CURVE_POINTS - 1)).toBeLessThanOrEqual(60)
    expect(CURVE_POINTS).toBeLessThanOrEqual(SAMPLE_POINTS_MAX)
  })

  test('[TRD-12] a figure of today is the change since the last sample before 00:00, or all of it if the account began today', () => {
    const [series] = recorded(DAY, [100, 110]).series
    const young = { equity: 990, day_pnl: -10, starting_capital: 1000 }
    const old = { ...young, starting_capital: 500 }
    expect(changeToday(130, series && { ...series, before: { at: 0, value: 90 } }, old)).toBe(40)
    expect(changeToday(130, series, young)).toBe(130)
    expect(changeToday(130, series, old)).toBeUndefined()
  })

  test('[TRD-12] the percentage is of the equity at 00:00', () => {
    expect(dayPercent({ equity: 110, day_pnl: 10 })).toBe(10)
    expect(dayPercent({ equity: 0, day_pnl: 0 })).toBe(0)
  })
})

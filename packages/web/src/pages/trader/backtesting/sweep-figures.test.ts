import { describe, expect, test } from 'vitest'
import { formatMeasure, heatMapOf, rankedResults, strengthOf, sweepTimeLeftMs } from './sweep-figures.ts'
import { aSweep } from './testkit.ts'

describe('the figures of a sweep', () => {
  test('[BT-43] a heat map has the best value of each cell, and none where a set has no result', () => {
    const map = heatMapOf(aSweep(), 'sharpe', 'slow_bars', 'fast_bars')
    expect(map.down).toEqual([100, 50])
    expect(map.across).toEqual([10, 20])
    expect(map.cells.map((row) => row.map(({ value }) => value))).toEqual([
      [1, undefined],
      [0.5, 2],
    ])
    expect(map.cells[1]?.[1]?.set).toBe(2)
    expect(strengthOf(2, map, 'sharpe')).toBe(1)
    expect(strengthOf(0.5, map, 'sharpe')).toBe(0)
    expect(strengthOf(0.5, map, 'max_drawdown')).toBe(1)
  })

  test('[BT-45] a set whose measure is not defined has a cell without a value', () => {
    const sweep = aSweep()
    const results = sweep.results.map((result) => ({
      ...result,
      statistics: result.statistics && { ...result.statistics, sharpe: null },
    }))
    const { cells } = heatMapOf({ ...sweep, results }, 'sharpe', 'slow_bars', 'fast_bars')
    expect(cells.map((row) => row.map(({ value }) => value))).toEqual([
      [undefined, undefined],
      [undefined, undefined],
    ])
    expect(cells.map((row) => row.map(({ set }) => set))).toEqual([
      [1, undefined],
      [0, 2],
    ])
  })

  test('[BT-39] sets are ranked by the measure, those without a value last', () => {
    expect(rankedResults(aSweep(), 'sharpe').map(({ set }) => set)).toEqual([2, 1, 0, 3])
    expect(rankedResults(aSweep(), 'max_drawdown').map(({ set }) => set)).toEqual([0, 1, 2, 3])
  })

  test('[BT-38] the time left is at the pace so far', () => {
    const started_at = '2026-01-01T00:00:00.000Z'
    const now = Date.parse(started_at) + 30_000
    expect(sweepTimeLeftMs({ done: 25, total: 100, started_at }, now)).toBe(90_000)
    expect(sweepTimeLeftMs({ done: 0, total: 100, started_at }, now)).toBeUndefined()
  })

  test('a measure is shown as on the run', () => {
    expect(formatMeasure(0.05, 'total_return')).toBe('+5.00%')
    expect(formatMeasure(0.05, 'max_drawdown')).toBe('5.00%')
    expect(formatMeasure(-1.234, 'sharpe')).toBe('-1.23')
    expect(formatMeasure(null, 'sharpe')).toBe('—')
  })
})

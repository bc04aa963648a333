import { renderHook } from '@testing-library/react'
import type { createChart } from 'lightweight-charts'
import { expect, test } from 'vitest'
import { useChartColors } from './chart-theme.ts'
import { type CurveDrawing, CurveView } from './curve-view.ts'

/** jsdom has no canvas for the library: a chart as far as the view uses it, with the series that it has. */
function createFakeChart() {
  const series = new Set<object>()
  const pane = { setStretchFactor: () => {} }
  return {
    series,
    applyOptions: () => {},
    subscribeCrosshairMove: () => {},
    timeScale: () => ({ fitContent: () => {} }),
    panes: () => [pane, pane],
    addSeries: () => {
      const added = { setData: () => {}, createPriceLine: () => {} }
      series.add(added)
      return added
    },
    removeSeries: (removed: object) => series.delete(removed),
    remove: () => {},
  }
}

const drawingOf = (...names: string[]): CurveDrawing => ({
  curves: names.map((name) => ({ name, points: [{ at: 0, value: 1 }] })),
  base: 0,
  format: String,
})

test('[BT-400] other curves replace those of the chart, which stays', () => {
  const charts: ReturnType<typeof createFakeChart>[] = []
  const create = () => {
    const chart = createFakeChart()
    charts.push(chart)
    return chart
  }
  // The rest of the library's chart is not used.
  const asLibrary = create as unknown as typeof createChart
  const colors = renderHook(useChartColors).result.current
  const view = new CurveView(document.createElement('div'), document.createElement('p'), asLibrary)
  view.draw(drawingOf('BT-1', 'BT-2', 'BT-3'), colors)
  view.draw({ ...drawingOf('BT-1', 'BT-2'), lower: { name: 'Drawdown', points: [], format: String } }, colors)
  expect(charts).toHaveLength(1)
  expect(charts[0]?.series.size).toBe(2)
})

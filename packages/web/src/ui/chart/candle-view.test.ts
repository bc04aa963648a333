import { renderHook } from '@testing-library/react'
import type { createChart } from 'lightweight-charts'
import { beforeEach, expect, test, vi } from 'vitest'
import { CandleView } from './candle-view.ts'
import { useChartColors } from './chart-theme.ts'
import type { ChartBar } from './indicators.ts'

const LENGTH = 100_000
const WIDTH = 150

let drawn: { time: number; close: number }[]
let linePrice: number | undefined
let rightOffset: number
let notify: () => void

/** jsdom has no canvas for the library: a chart as far as the view uses it, with what it has and where it stands. */
function createFakeChart() {
  const range = () => ({ from: drawn.length - 1 + rightOffset - WIDTH, to: drawn.length - 1 + rightOffset })
  const line = {
    applyOptions: ({ price }: { price?: number }) => {
      linePrice = price ?? linePrice
    },
  }
  const series = {
    applyOptions: () => {},
    attachPrimitive: () => {},
    createPriceLine: () => line,
    priceScale: () => ({ applyOptions: () => {} }),
    setData: () => {},
    update: () => {},
  }
  const candles = {
    ...series,
    setData: (bars: typeof drawn) => {
      drawn = bars
    },
    update: (bar: (typeof drawn)[number]) => {
      if (bar.time < (drawn.at(-1)?.time ?? 0)) throw new Error('Cannot update oldest data')
      const isNew = drawn.at(-1)?.time !== bar.time
      drawn = [...drawn.slice(0, isNew ? undefined : -1), bar]
    },
  }
  return {
    applyOptions: () => {},
    addSeries: (kind: { type: string }) => (kind.type === 'Candlestick' ? candles : series),
    subscribeClick: () => {},
    subscribeCrosshairMove: () => {},
    remove: () => {},
    timeScale: () => ({
      applyOptions: () => {},
      getVisibleLogicalRange: range,
      scrollToPosition: (offset: number) => {
        rightOffset = offset
      },
      subscribeVisibleLogicalRangeChange: (listener: (range: unknown) => void) => {
        notify = () => listener(range())
      },
    }),
  }
}

function makeBars(length: number): ChartBar[] {
  return Array.from({ length }, (_, index) => ({
    time: index * 60,
    open: index,
    high: index + 1,
    low: index - 1,
    close: index,
    volume: 1,
  }))
}

/** The time at the right edge of the view. */
const timeInSight = () => drawn[drawn.length - 1 + rightOffset]?.time

function openView() {
  const container = document.createElement('div')
  const handlers = { onNearStart: vi.fn(), onPick: () => {}, onRepaint: () => {} }
  const colors = renderHook(useChartColors).result.current
  // The rest of the library's chart is not used.
  const create = createFakeChart as unknown as typeof createChart
  return { container, handlers, view: new CandleView(container, colors, handlers, create) }
}

/** Moves the view and lets it stand still. */
function moveTo(offset: number): void {
  rightOffset = offset
  notify()
  vi.advanceTimersByTime(1_000)
}

beforeEach(() => {
  vi.useFakeTimers()
  drawn = []
  linePrice = undefined
  rightOffset = 0
  return () => vi.useRealTimers()
})

test('[MKT-56] of 100,000 bars those around the view are drawn, and the view stays where it is as others follow', () => {
  const { view, handlers } = openView()
  view.setBars(makeBars(LENGTH))
  expect(drawn.length).toBeLessThan(5_000)
  expect(drawn.at(-1)?.time).toBe((LENGTH - 1) * 60)
  for (let steps = 0; steps < 60; steps++) {
    const before = timeInSight()
    moveTo(rightOffset - 1_900)
    expect(timeInSight()).toBe((before ?? 0) - 1_900 * 60)
    expect(drawn.length).toBeLessThan(9_000)
    if (drawn[0]?.time === 0) break
  }
  expect(drawn[0]?.time).toBe(0)
  moveTo(rightOffset - (timeInSight() ?? 0) / 60 + WIDTH)
  expect(handlers.onNearStart).toHaveBeenCalled()
  view.scrollToLatest()
  expect(drawn.at(-1)?.time).toBe((LENGTH - 1) * 60)
})

test('[MKT-56] nothing moves under the pointer: the others follow when it is released', () => {
  const { container, view } = openView()
  view.setBars(makeBars(LENGTH))
  const before = drawn
  container.dispatchEvent(new Event('pointerdown'))
  moveTo(-2_500)
  expect(drawn).toBe(before)
  window.dispatchEvent(new Event('pointerup'))
  vi.advanceTimersByTime(1_000)
  expect(drawn).not.toBe(before)
})

test('[MKT-80] the axis has the price of the latest bar while older bars are in sight, and live bars do not move them', () => {
  const { view } = openView()
  const bars = makeBars(LENGTH)
  view.setBars(bars)
  expect(linePrice).toBe(LENGTH - 1)
  for (let steps = 0; steps < 5; steps++) moveTo(rightOffset - 1_900)
  const before = timeInSight()
  view.setBars([...bars, { time: LENGTH * 60, open: 7, high: 7, low: 7, close: 7, volume: 1 }])
  expect(linePrice).toBe(7)
  expect(timeInSight()).toBe(before)
  view.scrollToLatest()
  expect(drawn.at(-1)).toMatchObject({ time: LENGTH * 60, close: 7 })
})

test('[MKT-81] a bar that is filled in before the last one is drawn in its place', () => {
  const { view } = openView()
  const bars = makeBars(10)
  view.setBars(bars.toSpliced(8, 1))
  view.setBars(bars)
  expect(drawn.map(({ time }) => time)).toEqual(bars.map(({ time }) => time))
})

test('[MKT-81] a last bar that is replaced by a later one leaves the chart', () => {
  const { view } = openView()
  const bars = makeBars(10)
  view.setBars(bars.slice(0, 9))
  view.setBars(bars.toSpliced(8, 1))
  expect(drawn.map(({ time }) => time)).toEqual(bars.toSpliced(8, 1).map(({ time }) => time))
})

test('[MKT-47] older bars that come together with a new one leave those in sight where they are', () => {
  const { view } = openView()
  const bars = makeBars(3_000)
  view.setBars(bars.slice(1_000, 2_999))
  moveTo(-1_500)
  const before = timeInSight()
  view.setBars(bars)
  expect(timeInSight()).toBe(before)
})

test('[MKT-81] bars that are loaded again, later ones in place of the first, leave those in sight where they are', () => {
  const { view } = openView()
  view.setBars(makeBars(3_000).slice(0, 2_000))
  moveTo(-1_500)
  const before = timeInSight()
  view.setBars(makeBars(3_000).slice(5, 2_005))
  expect(timeInSight()).toBe(before)
  view.scrollToLatest()
  view.setBars(makeBars(3_000).slice(9, 2_009))
  expect(timeInSight()).toBe(undefined)
  expect(drawn.length - 1 + rightOffset).toBeGreaterThan(drawn.length)
})

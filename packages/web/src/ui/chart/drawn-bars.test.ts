import { expect, test } from 'vitest'
import { isNearEdge, rangeToDraw } from './drawn-bars.ts'

const LENGTH = 100_000

test('[MKT-56] draws some thousand bars around the view, wherever it stands and however wide it is', () => {
  for (const width of [1, 150, 2_000, 8_000]) {
    for (let at = -width; at < LENGTH + width; at += 777) {
      const view = { from: at + 0.25, to: at + width + 0.25 }
      const drawn = rangeToDraw(view, LENGTH)
      expect(drawn.from).toBeLessThanOrEqual(Math.max(0, view.from))
      expect(drawn.to).toBeGreaterThanOrEqual(Math.min(LENGTH, view.to))
      expect(drawn.to - drawn.from).toBeLessThanOrEqual(width + 2 + 2 * Math.max(4_000, 2 * width + 1))
      expect(isNearEdge(view, drawn, LENGTH)).toBe(false)
    }
  }
})

test('[MKT-56] moves on before a drag as wide as the chart could leave the drawn bars', () => {
  const width = 2_000
  const drawn = rangeToDraw({ from: 50_000, to: 50_000 + width }, LENGTH)
  for (let from = drawn.from; from + width <= drawn.to; from += 10) {
    if (isNearEdge({ from, to: from + width }, drawn, LENGTH)) continue
    expect(from - width).toBeGreaterThanOrEqual(drawn.from)
    expect(from + 2 * width).toBeLessThanOrEqual(drawn.to)
  }
  expect(isNearEdge({ from: drawn.from + 100, to: drawn.from + 300 }, drawn, LENGTH)).toBe(true)
  expect(isNearEdge({ from: drawn.to - 300, to: drawn.to - 100 }, drawn, LENGTH)).toBe(true)
})

test('has nothing to move to beyond the first and the last bar', () => {
  expect(isNearEdge({ from: -20, to: 100 }, { from: 0, to: 9_000 }, LENGTH)).toBe(false)
  expect(isNearEdge({ from: LENGTH - 100, to: LENGTH + 6 }, { from: 90_000, to: LENGTH }, LENGTH)).toBe(false)
})

import { expect, test } from 'vitest'
import { changeArrow, changeText, quoteFreshness } from './quote-figures.ts'

const NOW = Date.UTC(2026, 0, 5, 12)
const quoteAged = (seconds: number) => ({ at: new Date(NOW - seconds * 1000).toISOString() })
const LIVE = { freshness: 'live', asOf: undefined } as const

test.each([
  [4, 'live'],
  [6, 'delayed'],
  [31, 'stale'],
] as const)('[MKT-36] a quote that is %s s old is %s', (seconds, freshness) => {
  expect(quoteFreshness(quoteAged(seconds), LIVE, NOW).freshness).toBe(freshness)
})

test('[MKT-36] no quote is fresher than its list', () => {
  const list = { freshness: 'disconnected', asOf: NOW } as const
  expect(quoteFreshness(quoteAged(0), list, NOW)).toEqual(list)
})

test('[MKT-36] an old quote that is polled is stale, not delayed', () => {
  const list = { freshness: 'delayed', asOf: NOW } as const
  expect(quoteFreshness(quoteAged(31), list, NOW).freshness).toBe('stale')
})

test('[FMT-4] a change has its sign and an arrow', () => {
  expect([1.843, -0.42, 0.001, null].map(changeText)).toEqual(['▲ +1.84%', '▼ -0.42%', '0.00%', '—'])
})

test('[FMT-4] the arrow beside the price of the depth is absent while the price has not moved', () => {
  expect([1.843, -0.42, 0.001, 0, null].map(changeArrow)).toEqual(['▲', '▼', '', '', ''])
})

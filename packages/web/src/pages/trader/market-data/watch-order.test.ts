import { expect, test } from 'vitest'
import { moveTo, watchedOf } from './watch-order.ts'

test('[MKT-30] all instruments until it is changed, then the chosen ones that are still listed', () => {
  expect(watchedOf(undefined, ['A', 'B'])).toEqual(['A', 'B'])
  expect(watchedOf(['B', 'GONE', 'A', 'B'], ['A', 'B', 'C'])).toEqual(['B', 'A'])
  expect(watchedOf([], ['A'])).toEqual([])
})

test('[MKT-46] an instrument is moved to the place of another', () => {
  expect(moveTo(['A', 'B', 'C'], 'C', 0)).toEqual(['C', 'A', 'B'])
  expect(moveTo(['A', 'B', 'C'], 'A', 1)).toEqual(['B', 'A', 'C'])
  expect(moveTo(['A', 'B', 'C'], 'A', -1)).toEqual(['A', 'B', 'C'])
  expect(moveTo(['A', 'B'], 'X', 0)).toEqual(['A', 'B'])
})

import { expect, test } from 'vitest'
import { COUNTS, chooseCounts } from './counts.mjs'

test('the sample has the same seed in each run, and the full tier draws one', () => {
  expect(chooseCounts({})).toMatchObject({ tier: 'sample', seed: 1, counts: { deskKills: 2 } })
  const full = chooseCounts({ BINNACLE_TEST_TIER: 'full' })
  expect(full).toMatchObject({ tier: 'full', counts: { deskKills: 300, accountHistories: 10_000 } })
  expect(Number.isInteger(full.seed)).toBe(true)
})

test('a seed from the environment repeats a run', () => {
  expect(chooseCounts({ BINNACLE_TEST_TIER: 'full', BINNACLE_TEST_SEED: '42' }).seed).toBe(42)
  expect(() => chooseCounts({ BINNACLE_TEST_SEED: 'x' })).toThrow('BINNACLE_TEST_SEED is a whole number')
  expect(() => chooseCounts({ BINNACLE_TEST_TIER: 'all' })).toThrow('sample or full, not all')
})

test.each(Object.entries(COUNTS))('%s is smaller in the sample than in full', (_, { sample, full }) => {
  expect(sample).toBeGreaterThan(0)
  expect(sample).toBeLessThan(full)
})

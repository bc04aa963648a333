import { expect, test } from 'vitest'
import { summarise } from './summary.mjs'

test('the summary is a table that ends in the sum of everything', () => {
  const text = summarise([
    { name: 'format', outcome: 'passed', seconds: 1.24, counts: { passed: 1, failed: 0, skipped: 0 } },
    { name: 'unit', outcome: 'failed', seconds: 12, counts: { passed: 310, failed: 2, skipped: 1 } },
    { name: 'e2e', outcome: 'not run', seconds: 0, counts: { passed: 0, failed: 0, skipped: 0 } },
  ])
  expect(text.split('\n')).toEqual([
    '',
    'step      result   seconds   passed   failed  skipped',
    'format    passed       1.2        1        0',
    'unit      failed      12.0      310        2        1',
    'e2e      not run',
    '',
    '311 passed, 2 failed',
  ])
})

import { expect, test } from 'vitest'
import { summarise } from './summary.mjs'

test('the summary repeats the failed tests, and is a table that ends in the sum of everything', () => {
  const text = summarise([
    {
      name: 'format',
      outcome: 'passed',
      seconds: 1.24,
      counts: { passed: 1, failed: 0, skipped: 0 },
      failures: [],
    },
    {
      name: 'unit',
      outcome: 'failed',
      seconds: 12,
      counts: { passed: 310, failed: 2, skipped: 1 },
      failures: ['a.test.ts › a sum\n    expected 1 to be 2', 'b.test.ts'],
    },
    {
      name: 'e2e',
      outcome: 'not run',
      seconds: 0,
      counts: { passed: 0, failed: 0, skipped: 0 },
      failures: [],
    },
  ])
  expect(text.split('\n')).toEqual([
    '',
    'Failed tests:',
    '',
    'unit: a.test.ts › a sum',
    '    expected 1 to be 2',
    'unit: b.test.ts',
    '',
    'step      result   seconds   passed   failed  skipped',
    'format    passed       1.2        1        0',
    'unit      failed      12.0      310        2        1',
    'e2e      not run',
    '',
    '311 passed, 2 failed',
  ])
})

test('[NAUT-2] a step that this machine cannot run is one line of the summary, and its tests are skipped', () => {
  const text = summarise([
    {
      name: 'nautilus',
      outcome: 'skipped',
      seconds: 0.2,
      counts: { passed: 0, failed: 0, skipped: 42 },
      failures: [],
      unavailable: 'Python 3.11 to 3.13 not found; install it or set BINNACLE_PYTHON',
    },
  ])
  expect(text.split('\n').slice(-5)).toEqual([
    'nautilus   skipped       0.2        0        0       42',
    '',
    'SKIPPED 42 tests of nautilus: Python 3.11 to 3.13 not found; install it or set BINNACLE_PYTHON',
    '',
    '0 passed, 0 failed',
  ])
})

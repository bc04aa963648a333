import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { ROOT } from '../launch/project.mjs'
import { printStrategies } from './print-strategies.ts'

test('the page on strategies matches the strategies in the code', () => {
  expect(readFileSync(join(ROOT, 'docs/guide/strategies.md'), 'utf8')).toBe(printStrategies())
})

test('every kind has a section, and every parameter a row with its bounds and default', () => {
  const text = printStrategies()
  for (const title of ['Momentum', 'Mean reversion', 'Arbitrage', 'Market making']) {
    expect(text).toContain(`### ${title} (`)
  }
  expect(text).toContain('| `fast_bars` | Length of the fast average, in bars. | 1 | 1,000 | 20 |')
  expect(text.match(/\*\*Loses when:\*\*/g)).toHaveLength(4)
})

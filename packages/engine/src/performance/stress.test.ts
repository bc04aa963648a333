import { expect, test } from 'vitest'
import { STRESS_SCENARIOS, stress } from './stress.ts'

const HELD = [
  { base: 'BTC', value: 10_000, halfSpread: 0.0001 },
  { base: 'SOL', value: -2_000, halfSpread: 0.0005 },
]

test('[PERF-16] a scenario moves the value of each open position by its shock', () => {
  const results = Object.fromEntries(
    STRESS_SCENARIOS.map((scenario) => [scenario.name, stress(scenario, HELD)]),
  )
  expect(results).toEqual({
    'BTC −10 %': -1_000,
    'ETH −10 %': 0,
    'SOL +30 %': -600,
    'All −20 %': -1_600,
    'All +20 %': 1_600,
    'Spreads × 5': -(10_000 * 0.0005 + 2_000 * 0.0025),
  })
})

test('[PERF-16] spreads of a position without a quote are not known', () => {
  const held = [{ base: 'BTC', value: 10, halfSpread: null }]
  expect(stress({ name: 'Spreads', spreads: 5 }, held)).toBeNull()
  expect(stress({ name: 'BTC', shocks: { BTC: -0.5 } }, held)).toBe(-5)
})

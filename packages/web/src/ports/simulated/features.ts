import type { FeatureControls, FeatureFlag } from '#ports/controls.ts'
import { SIMULATED_MS, type Wait } from './wait.ts'

const FLAGS: readonly FeatureFlag[] = [
  { id: 'live-trading', name: 'Live Trading', enabled: true },
  { id: 'backtesting', name: 'Backtesting', enabled: true },
  { id: 'paper-trading', name: 'Paper Trading', enabled: false },
  { id: 'risk-management', name: 'Risk Management', enabled: true },
  { id: 'advanced-analytics', name: 'Advanced Analytics', enabled: false },
  { id: 'multi-exchange', name: 'Multi-Exchange', enabled: true },
]

export function createSimulatedFeatures(wait: Wait): FeatureControls {
  return {
    kind: 'simulated',
    list: async () => FLAGS,
    setEnabled: () => wait(SIMULATED_MS),
    setAllEnabled: () => wait(SIMULATED_MS),
  }
}

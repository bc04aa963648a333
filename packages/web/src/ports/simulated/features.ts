import type { FeatureControls, FeatureFlag, ServiceEntry } from '#ports/controls.ts'
import { SIMULATED_MS, type Wait } from './wait.ts'

const FLAGS: readonly FeatureFlag[] = [
  { id: 'live-trading', name: 'Live Trading', enabled: true },
  { id: 'backtesting', name: 'Backtesting', enabled: true },
  { id: 'paper-trading', name: 'Paper Trading', enabled: false },
  { id: 'risk-management', name: 'Risk Management', enabled: true },
  { id: 'advanced-analytics', name: 'Advanced Analytics', enabled: false },
  { id: 'multi-exchange', name: 'Multi-Exchange', enabled: true },
]

const SERVICES: readonly ServiceEntry[] = [
  { id: 'market-data', name: 'Market Data Service', status: 'running' },
  { id: 'order-execution', name: 'Order Execution Service', status: 'running' },
  { id: 'risk', name: 'Risk Service', status: 'stopped' },
  { id: 'analytics', name: 'Analytics Service', status: 'running' },
]

export function createSimulatedFeatures(wait: Wait): FeatureControls {
  return {
    kind: 'simulated',
    flags: async () => FLAGS,
    services: async () => SERVICES,
    setFlag: () => wait(SIMULATED_MS),
    setAllFlags: () => wait(SIMULATED_MS),
    act: () => wait(SIMULATED_MS),
  }
}

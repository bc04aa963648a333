import type { ServiceControls, ServiceEntry } from '#ports/controls.ts'
import { SIMULATED_MS, type Wait } from './wait.ts'

const SERVICES: readonly ServiceEntry[] = [
  { id: 'market-data', name: 'Market Data Service', status: 'running' },
  { id: 'order-execution', name: 'Order Execution Service', status: 'running' },
  { id: 'risk', name: 'Risk Service', status: 'stopped' },
  { id: 'analytics', name: 'Analytics Service', status: 'running' },
]

export function createSimulatedServices(wait: Wait): ServiceControls {
  return {
    kind: 'simulated',
    list: async () => SERVICES,
    act: () => wait(SIMULATED_MS),
  }
}

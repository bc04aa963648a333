import type { ComponentControls, ComponentEntry } from '#ports/controls.ts'
import { SIMULATED_MS, type Wait } from './wait.ts'

const entry = (name: string, type: string): ComponentEntry => ({ id: name, name, type, status: 'running' })

const ENTRIES = [
  entry('DataEngine', 'Engine'),
  entry('ExecutionEngine', 'Engine'),
  entry('RiskEngine', 'Engine'),
  entry('Portfolio', 'Component'),
  entry('Cache', 'Component'),
  entry('MessageBus', 'Component'),
]

export function createSimulatedComponents(wait: Wait): ComponentControls {
  return {
    kind: 'simulated',
    list: async () => ENTRIES,
    act: () => wait(SIMULATED_MS),
    actOnAll: () => wait(SIMULATED_MS),
  }
}

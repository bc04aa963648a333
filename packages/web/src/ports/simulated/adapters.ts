import type { AdapterControls, AdapterEntry } from '#ports/controls.ts'
import { SIMULATED_MS, SIMULATED_TEST_MS, type Wait } from './wait.ts'

const ADAPTERS: readonly AdapterEntry[] = [
  { id: 'binance', name: 'Binance', type: 'Exchange', status: 'connected' },
  { id: 'bybit', name: 'Bybit', type: 'Exchange', status: 'connected' },
  { id: 'okx', name: 'OKX', type: 'Exchange', status: 'connected' },
  { id: 'coinbase', name: 'Coinbase', type: 'Exchange', status: 'disconnected' },
  { id: 'interactive-brokers', name: 'Interactive Brokers', type: 'Broker', status: 'disconnected' },
]

export function createSimulatedAdapters(wait: Wait): AdapterControls {
  return {
    kind: 'simulated',
    list: async () => ADAPTERS,
    setConnected: () => wait(SIMULATED_MS),
    setAllConnected: () => wait(SIMULATED_MS),
    test: () => wait(SIMULATED_TEST_MS),
    testAll: () => wait(SIMULATED_TEST_MS),
    configure: () => wait(SIMULATED_MS),
  }
}

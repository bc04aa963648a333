import type {
  AdapterControls,
  AdapterEntry,
  ComponentControls,
  ComponentEntry,
  FeatureControls,
  FeatureFlag,
  FixedMonitoring,
  FixedSettings,
  Ports,
  ServiceControls,
  ServiceEntry,
  SettingsForm,
} from './controls.ts'

/** Injected, so that tests pass without waiting. */
export type Wait = (ms: number) => Promise<void>

/** Specification, section 9. */
const SIMULATED_MS = 1000
const SIMULATED_TEST_MS = 1500

const waitByTimer: Wait = (ms) => new Promise((resolve) => setTimeout(resolve, ms))

type SimulatedPorts = Ports & {
  adapters: AdapterControls
  monitoring: FixedMonitoring
  settings: FixedSettings
}

/** The specification's mock-ups: each action waits, reports success and changes nothing. */
export function createSimulatedPorts(wait: Wait = waitByTimer): SimulatedPorts {
  return {
    components: createComponents(wait),
    features: createFeatures(wait),
    services: createServices(wait),
    adapters: createAdapters(wait),
    monitoring: createMonitoring(),
    settings: createSettings(wait),
  }
}

const COMPONENTS: readonly ComponentEntry[] = [
  { id: 'DataEngine', name: 'DataEngine', type: 'Engine', status: 'running' },
  { id: 'ExecutionEngine', name: 'ExecutionEngine', type: 'Engine', status: 'running' },
  { id: 'RiskEngine', name: 'RiskEngine', type: 'Engine', status: 'running' },
  { id: 'Portfolio', name: 'Portfolio', type: 'Component', status: 'running' },
  { id: 'Cache', name: 'Cache', type: 'Component', status: 'running' },
  { id: 'MessageBus', name: 'MessageBus', type: 'Component', status: 'running' },
]

function createComponents(wait: Wait): ComponentControls {
  return {
    kind: 'simulated',
    list: async () => COMPONENTS,
    act: () => wait(SIMULATED_MS),
    actOnAll: async () => {
      await wait(SIMULATED_MS)
      return []
    },
  }
}

const FLAGS: readonly FeatureFlag[] = [
  { id: 'live-trading', name: 'Live Trading', enabled: true },
  { id: 'backtesting', name: 'Backtesting', enabled: true },
  { id: 'paper-trading', name: 'Paper Trading', enabled: false },
  { id: 'risk-management', name: 'Risk Management', enabled: true },
  { id: 'advanced-analytics', name: 'Advanced Analytics', enabled: false },
  { id: 'multi-exchange', name: 'Multi-Exchange', enabled: true },
]

function createFeatures(wait: Wait): FeatureControls {
  return {
    kind: 'simulated',
    list: async () => FLAGS,
    setEnabled: () => wait(SIMULATED_MS),
    setAllEnabled: async () => {
      await wait(SIMULATED_MS)
      return []
    },
  }
}

const SERVICES: readonly ServiceEntry[] = [
  { id: 'market-data', name: 'Market Data Service', status: 'running' },
  { id: 'order-execution', name: 'Order Execution Service', status: 'running' },
  { id: 'risk', name: 'Risk Service', status: 'stopped' },
  { id: 'analytics', name: 'Analytics Service', status: 'running' },
]

function createServices(wait: Wait): ServiceControls {
  return { kind: 'simulated', list: async () => SERVICES, act: () => wait(SIMULATED_MS) }
}

const ADAPTERS: readonly AdapterEntry[] = [
  { id: 'binance', name: 'Binance', type: 'Exchange', status: 'connected' },
  { id: 'bybit', name: 'Bybit', type: 'Exchange', status: 'connected' },
  { id: 'okx', name: 'OKX', type: 'Exchange', status: 'connected' },
  { id: 'coinbase', name: 'Coinbase', type: 'Exchange', status: 'disconnected' },
  { id: 'interactive-brokers', name: 'Interactive Brokers', type: 'Broker', status: 'disconnected' },
]

function createAdapters(wait: Wait): AdapterControls {
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

function createMonitoring(): FixedMonitoring {
  const figures = { cpuUsage: '45%', memory: '2.1GB', requestsPerSecond: '1,234', uptime: '99.9%' }
  return { kind: 'simulated', figures: async () => figures }
}

const DEFAULT_SETTINGS: SettingsForm = {
  systemName: 'Binnacle',
  environment: 'Production',
  email: true,
  slack: false,
  sms: false,
  sessionTimeoutMin: '30',
  twoFactorAuth: true,
  maxConcurrentRequests: '100',
  cacheTtlS: '3600',
}

function createSettings(wait: Wait): FixedSettings {
  return {
    kind: 'simulated',
    load: async () => DEFAULT_SETTINGS,
    save: () => wait(SIMULATED_MS),
    reset: async () => {
      await wait(SIMULATED_MS)
      return DEFAULT_SETTINGS
    },
    exportAll: () => wait(SIMULATED_MS),
    importAll: () => wait(SIMULATED_MS),
  }
}

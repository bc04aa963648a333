import { paths, unroutedPaths } from '#paths.ts'

export const copy = {
  title: 'Binnacle Admin Panel',
  back: 'Back to Home',
  refresh: 'Refresh',
  testNotification: 'Test Notification',
  testMessage: 'This is a test notification',
  connected: 'Connected to trading engine',
  connectFailed: 'Failed to connect to trading engine API',
  connecting: 'Connecting...',
  connectedTo: (traderId: string) => `Connected: ${traderId}`,
  disconnected: 'Disconnected',
  unknown: '—',
  live: 'Live',
  stopped: 'Stopped',
  facts: {
    engine: 'Engine',
    listeners: 'Listeners',
    stores: 'Stores',
    jobs: 'Running jobs',
    audit: 'Last changes',
    open: 'Open',
    state: 'State',
    trader: 'Trader ID',
    components: 'Components running',
    strategies: 'Strategies',
    ofAll: (running: number, all: number) => `${running} of ${all}`,
    lastBackup: 'Last backup',
    lastDrill: 'Last restore drill',
    disk: 'Disk space',
    free: (gigabytes: string) => `${gigabytes} GB free`,
    running: 'Now',
    changes: 'Changes',
    by: (actor: string) => `by ${actor}`,
    none: 'none',
    never: 'never',
    unreached: 'cannot be reached',
  },
  partly: (running: number, all: number) => `${running} of ${all} components running`,
}

/** ADM-6: constants of the specification, shown in the baseline. */
export const figures = [
  { label: 'Total Operations', value: '140+' },
  { label: 'Admin Pages', value: '8' },
  { label: 'API Endpoints', value: '15+' },
  { label: 'Status', value: 'Live' },
] as const

export const cards = [
  { to: paths.adminDatabase, title: 'Database', note: 'Backup, optimize, clean' },
  { to: paths.adminComponents, title: 'Components', note: 'Stop, restart, configure' },
  { to: paths.adminFeatures, title: 'Features', note: 'Feature flags and services' },
  { to: paths.adminAdapters, title: 'Adapters', note: 'Exchanges and brokers' },
  { to: paths.adminMonitoring, title: 'Monitoring', note: 'Metrics, logs, alerts' },
  { to: paths.adminSettings, title: 'Settings', note: 'General, security and more' },
  { to: paths.adminApiConfig, title: 'API Configuration', note: 'Services, health, routes' },
  { to: paths.adminDbManagement, title: 'Database Management', note: 'Tables, queries, backups' },
  { to: unroutedPaths.adminPositions, title: 'Positions', note: 'Open positions' },
  { to: paths.docs, title: 'Documentation', note: 'Setup, guide, reference' },
] as const

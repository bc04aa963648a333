/** What a backend supports beyond the specified calls. Each one makes a screen or a behaviour live. */
export const CAPABILITIES = [
  'components',
  'features',
  'services',
  'adapters',
  'monitoring',
  'settings',
  'maintenance',
  'market-data',
  'performance',
  'alerts',
  'backtesting',
  'stream',
  'problems',
  'probes',
  'jobs',
  'strategy-types',
  'trading-state',
  'emergency',
  'order-preview',
  'samples',
  'order-control',
  'order-history',
  'order-detail',
  'strategy-loss-limit',
] as const

export type Capability = (typeof CAPABILITIES)[number]

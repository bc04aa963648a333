/**
 * What a backend can do beyond the specified calls. Each one makes a screen or a behaviour live;
 * a backend offers only what it really does.
 */
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
] as const

export type Capability = (typeof CAPABILITIES)[number]

export const COMPONENT_NAMES = [
  'DataEngine',
  'ExecutionEngine',
  'RiskEngine',
  'Portfolio',
  'Cache',
  'MessageBus',
] as const
export type ComponentName = (typeof COMPONENT_NAMES)[number]

export type ComponentStatus = 'running' | 'stopped' | 'paused' | 'error'

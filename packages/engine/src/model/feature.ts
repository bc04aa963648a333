/** Feature flags that a person switches. */
export const FEATURE_NAMES = [
  'live-trading',
  'backtesting',
  'paper-trading',
  'risk-management',
  'advanced-analytics',
  'multi-exchange',
] as const
export type FeatureName = (typeof FEATURE_NAMES)[number]

/** Services beside the engine's components. None of them is part of the risk gate. */
export const SERVICE_NAMES = ['market-data', 'order-execution', 'risk', 'analytics'] as const
export type ServiceName = (typeof SERVICE_NAMES)[number]

/** The account that orders trade for: the desk's own, or the paper account. */
export type AccountKind = 'live' | 'paper'

import type { Event } from '#model/event.ts'
import type { AccountKind, FeatureName, ServiceName } from '#model/feature.ts'
import type { Conflict } from '#model/reasons.ts'

export type Features = Record<FeatureName, boolean>
/** True for a running service. */
export type Services = Record<ServiceName, boolean>

/** FEAT-1: the flags of a new desk. */
export function createFeatures(): Features {
  return {
    'live-trading': true,
    backtesting: true,
    'paper-trading': false,
    'risk-management': true,
    'advanced-analytics': false,
    'multi-exchange': true,
  }
}

/** FEAT-3: the services of a new desk. */
export function createServices(): Services {
  return { 'market-data': true, 'order-execution': true, risk: false, analytics: true }
}

/** Folds the switches of flags and services. */
export function applyToFeatures(features: Features, services: Services, event: Event): void {
  if (event.type === 'FeatureSwitched') features[event.feature] = event.isEnabled
  else if (event.type === 'ServiceSwitched') services[event.service] = event.isRunning
}

/** The account of new orders. Paper wins when both are on. */
export function accountOf(features: Features): AccountKind {
  return features['paper-trading'] ? 'paper' : 'live'
}

interface FeatureState {
  readonly features: Features
  readonly orders: { readonly working: { readonly size: number } }
  readonly positions: { readonly open: { readonly size: number } }
}

/** Returns why a flag cannot be switched now: a forbidden combination, or an account in use. */
export function findFeatureConflict(
  { features, orders, positions }: FeatureState,
  feature: FeatureName,
  isEnabled: boolean,
): Conflict | null {
  if (feature === 'live-trading' && isEnabled && !features['risk-management'])
    return { code: 'feature.risk-off' }
  if (feature === 'risk-management' && !isEnabled && features['live-trading'])
    return { code: 'feature.live-on' }
  const [working, open] = [orders.working.size, positions.open.size]
  return feature === 'paper-trading' && working + open > 0
    ? { code: 'feature.account-in-use', orders: working, positions: open }
    : null
}

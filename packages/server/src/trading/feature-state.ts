import type { Desk, FeatureName, ServiceName } from '@binnacle/engine'
import { Refused } from '#http/problems.ts'

/** The flags as the Features screen calls them. */
export const FEATURE_TITLES: Readonly<Record<FeatureName, string>> = {
  'live-trading': 'Live Trading',
  backtesting: 'Backtesting',
  'paper-trading': 'Paper Trading',
  'risk-management': 'Risk Management',
  'advanced-analytics': 'Advanced Analytics',
  'multi-exchange': 'Multi-Exchange',
}

export const SERVICE_TITLES: Readonly<Record<ServiceName, string>> = {
  'market-data': 'Market Data Service',
  'order-execution': 'Order Execution Service',
  risk: 'Risk Service',
  analytics: 'Analytics Service',
}

function isFeatureOn({ views }: Pick<Desk, 'views'>, feature: FeatureName): boolean {
  return views.engine().features.some(({ name, isEnabled }) => name === feature && isEnabled)
}

export function isServiceRunning({ views }: Pick<Desk, 'views'>, service: ServiceName): boolean {
  return views.engine().services.some(({ name, isRunning }) => name === service && isRunning)
}

/** The refusal of what a service serves while it is stopped; undefined while it runs. */
export function checkService(desk: Pick<Desk, 'views'>, service: ServiceName): Refused | undefined {
  if (isServiceRunning(desk, service)) return undefined
  return new Refused(
    'service.stopped',
    `${SERVICE_TITLES[service]} is stopped. Start it on the Features screen.`,
  )
}

/** The refusal of what a flag allows while it is off; undefined while it is on. */
export function checkFeature(desk: Pick<Desk, 'views'>, feature: FeatureName): Refused | undefined {
  if (isFeatureOn(desk, feature)) return undefined
  return new Refused('feature.off', `${FEATURE_TITLES[feature]} is off. Enable it on the Features screen.`)
}

import {
  type Feature,
  type FeatureResult,
  features,
  type PlatformService,
  platformServices,
} from '@binnacle/contract'
import {
  type Desk,
  describeReason,
  FEATURE_NAMES,
  type FeatureName,
  SERVICE_NAMES,
  type ServiceName,
} from '@binnacle/engine'
import type { FastifyInstance } from 'fastify'
import { mount } from '#http/mount.ts'
import { notFound, Refused } from '#http/problems.ts'
import type { AuditContext } from '#storage/audit/audit-context.ts'
import { FEATURE_TITLES, isServiceRunning, SERVICE_TITLES } from './feature-state.ts'
import { submitCommand } from './submit-command.ts'

export function addFeatureRoutes(app: FastifyInstance, desk: Desk): void {
  mount(app, features.list, () => ({ features: FEATURE_NAMES.map((name) => featureToWire(desk, name)) }))

  mount(app, features.set, async ({ params, body }, { audit }) => {
    const feature = FEATURE_NAMES.find((name) => name === params.feature_id)
    if (feature === undefined) return notFound('feature', params.feature_id, { list: FEATURE_NAMES })
    const answer = await switchFeature(desk, feature, body.enabled, audit)
    return answer instanceof Refused ? answer : featureToWire(desk, feature)
  })

  mount(app, features.setAll, async ({ body: { enabled } }, { audit }) => {
    const results: FeatureResult[] = []
    for (const feature of enabled ? ENABLE_ORDER : ENABLE_ORDER.toReversed()) {
      const before = featureToWire(desk, feature).enabled
      const answer = await switchFeature(desk, feature, enabled, audit)
      // After a lost answer or a halt the flags that follow would fare no better.
      if (answer instanceof Refused && answer.code !== 'engine.refused') return answer
      const { id, name, enabled: isEnabled } = featureToWire(desk, feature)
      const refused = answer instanceof Refused ? answer.detail : undefined
      results.push({ id, name, enabled: isEnabled, changed: before !== isEnabled, refused })
    }
    return { results }
  })
}

export function addServiceRoutes(app: FastifyInstance, desk: Desk): void {
  mount(app, platformServices.list, () => ({
    services: SERVICE_NAMES.map((name) => serviceToWire(desk, name)),
  }))
  mount(app, platformServices.start, ({ params }, { audit }) =>
    changeService(desk, 'StartService', params.service_id, audit),
  )
  mount(app, platformServices.stop, ({ params }, { audit }) =>
    changeService(desk, 'StopService', params.service_id, audit),
  )
  mount(app, platformServices.restart, ({ params }, { audit }) =>
    changeService(desk, 'RestartService', params.service_id, audit),
  )
}

/** Risk Management before Live Trading, and the other way round when they are disabled (FEAT-12). */
const ENABLE_ORDER: readonly FeatureName[] = [
  'risk-management',
  'backtesting',
  'advanced-analytics',
  'multi-exchange',
  'paper-trading',
  'live-trading',
]

function switchFeature(desk: Desk, feature: FeatureName, isEnabled: boolean, audit: AuditContext) {
  return submitCommand(desk, { type: 'SwitchFeature', feature, isEnabled }, audit)
}

async function changeService(
  desk: Desk,
  type: 'StartService' | 'StopService' | 'RestartService',
  id: string,
  audit: AuditContext,
) {
  const service = SERVICE_NAMES.find((name) => name === id)
  if (service === undefined) return notFound('service', id, { list: SERVICE_NAMES })
  const answer = await submitCommand(desk, { type, service }, audit)
  return answer instanceof Refused ? answer : serviceToWire(desk, service)
}

function featureToWire({ views }: Desk, id: FeatureName): Feature {
  const state = views.engine().features.find(({ name }) => name === id)
  const conflict = state?.conflict ?? null
  return {
    id,
    name: FEATURE_TITLES[id],
    enabled: state?.isEnabled ?? false,
    blocked: conflict === null ? undefined : describeReason(conflict),
  }
}

function serviceToWire(desk: Desk, id: ServiceName): PlatformService {
  return { id, name: SERVICE_TITLES[id], status: isServiceRunning(desk, id) ? 'running' : 'stopped' }
}

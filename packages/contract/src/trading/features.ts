import * as z from 'zod'
import { tradingEndpoint } from '#endpoint.ts'
import { object, strictObject } from '#object.ts'
import { ifGiven, PathId } from '#shared.ts'

export const Feature = object(() => ({
  id: z.string(),
  name: z.string(),
  enabled: z.boolean(),
  blocked: ifGiven(z.string()).describe('Why it cannot be switched now; absent if it can'),
})).meta({ id: 'Feature' })
export type Feature = z.output<typeof Feature>

/** What became of one flag in a change of all. */
export const FeatureResult = object(() => ({
  id: z.string(),
  name: z.string(),
  enabled: z.boolean().describe('As it is now'),
  changed: z.boolean(),
  refused: ifGiven(z.string()).describe('Why it was not switched'),
})).meta({ id: 'FeatureResult' })
export type FeatureResult = z.output<typeof FeatureResult>

const Switch = strictObject(() => ({ enabled: z.boolean() }))

export const features = {
  list: tradingEndpoint('GET /api/features', {
    summary: 'The feature flags',
    role: 'viewer',
    origin: { capability: 'features' },
    reply: object(() => ({ features: z.array(Feature) })),
  }),
  set: tradingEndpoint('PUT /api/features/:feature_id', {
    summary: 'Switch a feature flag; a forbidden combination is refused',
    role: 'admin',
    origin: { capability: 'features' },
    params: strictObject(() => ({ feature_id: PathId })),
    body: Switch,
    reply: Feature,
  }),
  setAll: tradingEndpoint('PUT /api/features', {
    summary: 'Switch all feature flags, one by one in an order that is allowed at every step',
    role: 'admin',
    origin: { capability: 'features' },
    body: Switch,
    reply: object(() => ({ results: z.array(FeatureResult) })),
  }),
}

export const PlatformService = object(() => ({
  id: z.string(),
  name: z.string(),
  status: z.string().describe('running or stopped'),
})).meta({ id: 'PlatformService' })
export type PlatformService = z.output<typeof PlatformService>

const ByService = strictObject(() => ({ service_id: PathId }))

/** Services beside the engine's components. */
export const platformServices = {
  list: tradingEndpoint('GET /api/services', {
    summary: 'The services of the platform',
    role: 'viewer',
    origin: { capability: 'services' },
    reply: object(() => ({ services: z.array(PlatformService) })),
  }),
  start: tradingEndpoint('POST /api/services/:service_id/start', {
    summary: 'Start a service',
    role: 'admin',
    origin: { capability: 'services' },
    params: ByService,
    reply: PlatformService,
  }),
  stop: tradingEndpoint('POST /api/services/:service_id/stop', {
    summary: 'Stop a service',
    role: 'admin',
    origin: { capability: 'services' },
    params: ByService,
    reply: PlatformService,
  }),
  restart: tradingEndpoint('POST /api/services/:service_id/restart', {
    summary: 'Restart a service',
    role: 'admin',
    origin: { capability: 'services' },
    params: ByService,
    reply: PlatformService,
  }),
}

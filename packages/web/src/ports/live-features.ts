import { features, platformServices } from '@binnacle/contract'
import { call } from '#data/client.ts'
import type { FeatureControls, ServiceControls } from './controls.ts'

/** Switches the feature flags of the server. */
export function createLiveFeatures(): FeatureControls {
  return {
    kind: 'live',
    list: async () => (await call(features.list, {})).features,
    setEnabled: async (flagId, enabled) => {
      await call(features.set, { params: { feature_id: flagId }, body: { enabled } })
    },
    setAllEnabled: async (enabled) => (await call(features.setAll, { body: { enabled } })).results,
  }
}

/** Controls the services of the server. None of them has settings. */
export function createLiveServices(): ServiceControls {
  return {
    kind: 'live',
    list: async () => (await call(platformServices.list, {})).services,
    act: async (action, serviceId) => {
      if (action !== 'configure') await call(platformServices[action], { params: { service_id: serviceId } })
    },
  }
}

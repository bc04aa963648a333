import type { FeatureName, ServiceName } from '#model/feature.ts'
import { findFeatureConflict } from '#state/features.ts'
import { emit } from '#step/record.ts'
import { type CommandAnswer, type Core, DONE } from '#step/step-core.ts'
import { refuse } from '#values/result.ts'

/** Switches a feature flag, unless that would leave a forbidden combination or swap an account in use. */
export function switchFeature(core: Core, feature: FeatureName, isEnabled: boolean): CommandAnswer {
  const { features, idleLedger, account } = core.state
  if (features[feature] === isEnabled) return DONE
  const conflict = findFeatureConflict(core.state, feature, isEnabled)
  if (conflict !== null) return refuse(conflict)
  // The paper account begins with what the desk's own account began with.
  if (feature === 'paper-trading' && idleLedger === null)
    emit(core, { type: 'PaperAccountOpened', cash: account.deposited })
  emit(core, { type: 'FeatureSwitched', feature, isEnabled })
  return DONE
}

/** Starts or stops a service. No change if it is already so. */
export function switchService(core: Core, service: ServiceName, isRunning: boolean): CommandAnswer {
  if (core.state.services[service] !== isRunning) emit(core, { type: 'ServiceSwitched', service, isRunning })
  return DONE
}

/** Stops and starts a service; one that is stopped is only started. */
export function restartService(core: Core, service: ServiceName): CommandAnswer {
  switchService(core, service, false)
  return switchService(core, service, true)
}

import type { Ports } from '#ports/controls.ts'
import { createSimulatedAdapters } from './adapters.ts'
import { createSimulatedComponents } from './components.ts'
import { createSimulatedFeatures } from './features.ts'
import { createSimulatedMonitoring } from './monitoring.ts'
import { createSimulatedServices } from './services.ts'
import { createSimulatedSettings } from './settings.ts'
import { type Wait, waitByTimer } from './wait.ts'

/** The specification's mock-ups: they wait, say it is done and change nothing. */
export function createSimulatedPorts(wait: Wait = waitByTimer): Ports {
  return {
    components: createSimulatedComponents(wait),
    features: createSimulatedFeatures(wait),
    services: createSimulatedServices(wait),
    adapters: createSimulatedAdapters(wait),
    monitoring: createSimulatedMonitoring(),
    settings: createSimulatedSettings(wait),
  }
}

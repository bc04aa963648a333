import type { Capability } from '@binnacle/contract'
import { type Backend, offers } from '#data/capabilities.ts'
import type { Ports } from './controls.ts'
import { createLiveComponents } from './live-components.ts'
import { createLiveFeatures, createLiveServices } from './live-features.ts'
import { createLiveMonitoring } from './live-monitoring.ts'
import { createSimulatedPorts } from './simulated-ports.ts'
import { createUnofferedPorts } from './unoffered-ports.ts'

/**
 * Why a screen has no controls: the backend is still unknown, or it offers live controls that this console does not
 * support. Simulated controls would mislead in both cases (CAP-4).
 */
export interface NoPort {
  readonly kind: 'unknown' | 'unsupported'
}

export type PortChoices = { readonly [Name in keyof Ports]: Ports[Name] | NoPort }

export const UNKNOWN_PORTS: PortChoices = {
  components: { kind: 'unknown' },
  features: { kind: 'unknown' },
  services: { kind: 'unknown' },
  adapters: { kind: 'unknown' },
  monitoring: { kind: 'unknown' },
  settings: { kind: 'unknown' },
}

/**
 * An unknown backend gets no controls (CAP-4). Only the baseline is simulated (CAP-8): what a live backend does not offer
 * has disabled controls, and what it offers without a live port here is 'unsupported'.
 */
export function choosePorts(backend: Backend | undefined): PortChoices {
  if (backend === undefined) return UNKNOWN_PORTS
  if (backend.kind === 'baseline') return createSimulatedPorts()
  const unoffered = createUnofferedPorts()
  const choose = <Name extends Capability & keyof Ports>(
    name: Name,
    live?: Ports[Name],
  ): Ports[Name] | NoPort => (offers(backend, name) ? (live ?? { kind: 'unsupported' }) : unoffered[name])
  return {
    components: choose('components', createLiveComponents()),
    features: choose('features', createLiveFeatures()),
    services: choose('services', createLiveServices()),
    adapters: choose('adapters', { kind: 'live' }),
    monitoring: choose('monitoring', createLiveMonitoring()),
    settings: choose('settings', { kind: 'live' }),
  }
}

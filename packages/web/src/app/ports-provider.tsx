import type { Capability } from '@binnacle/contract'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useMemo } from 'react'
import { type Backend, capabilityQueries, offers } from '#data/capabilities.ts'
import type { Ports } from '#ports/controls.ts'
import { createLiveComponents } from '#ports/live-components.ts'
import { createLiveFeatures, createLiveServices } from '#ports/live-features.ts'
import { createLiveMonitoring } from '#ports/live-monitoring.ts'
import { type NoPort, type PortChoices, PortsContext, UNKNOWN_PORTS } from '#ports/ports-context.ts'
import { createSimulatedPorts } from '#ports/simulated-ports.ts'
import { createUnofferedPorts } from '#ports/unoffered-ports.ts'

export interface PortsProviderProps {
  children: ReactNode
}

export function PortsProvider({ children }: PortsProviderProps) {
  const { data: backend } = useQuery(capabilityQueries.backend())
  const ports = useMemo(() => choosePorts(backend), [backend])
  return <PortsContext value={ports}>{children}</PortsContext>
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
    adapters: choose('adapters'),
    monitoring: choose('monitoring', createLiveMonitoring()),
    settings: choose('settings'),
  }
}

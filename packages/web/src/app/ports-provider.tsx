import type { Capability } from '@binnacle/contract'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useMemo } from 'react'
import { type Backend, capabilityQueries, offers } from '#data/capabilities.ts'
import { createLiveComponents } from '#ports/live/components.ts'
import { NOTHING_KNOWN, type NoPort, type PortChoices, PortsContext } from '#ports/ports-context.ts'
import { createSimulatedPorts } from '#ports/simulated/simulated-ports.ts'

export interface PortsProviderProps {
  children: ReactNode
}

export function PortsProvider({ children }: PortsProviderProps) {
  const { data: backend } = useQuery(capabilityQueries.backend())
  const ports = useMemo(() => choosePorts(backend), [backend])
  return <PortsContext value={ports}>{children}</PortsContext>
}

/**
 * An unknown backend gets no controls (CAP-4). Where a backend is live a simulated control would be a lie, so only
 * what it does not offer is simulated (CAP-8); what it offers and this console cannot drive yet stays empty.
 */
export function choosePorts(backend: Backend | undefined): PortChoices {
  if (backend === undefined) return NOTHING_KNOWN
  const simulated = createSimulatedPorts()
  const choose = <Port,>(capability: Capability, simulation: Port, live?: Port): Port | NoPort =>
    offers(backend, capability) ? (live ?? { kind: 'undrivable' }) : simulation
  return {
    components: choose('components', simulated.components, createLiveComponents()),
    features: choose('features', simulated.features),
    services: choose('services', simulated.services),
    adapters: choose('adapters', simulated.adapters),
    monitoring: choose('monitoring', simulated.monitoring),
    settings: choose('settings', simulated.settings),
  }
}

import type { Capability } from '@binnacle/contract'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useMemo } from 'react'
import { type Backend, capabilityQueries, offers } from '#data/capabilities.ts'
import { createLiveComponents } from '#ports/live-components.ts'
import { type NoPort, type PortChoices, PortsContext, UNKNOWN_PORTS } from '#ports/ports-context.ts'
import { createSimulatedPorts } from '#ports/simulated-ports.ts'

export interface PortsProviderProps {
  children: ReactNode
}

export function PortsProvider({ children }: PortsProviderProps) {
  const { data: backend } = useQuery(capabilityQueries.backend())
  const ports = useMemo(() => choosePorts(backend), [backend])
  return <PortsContext value={ports}>{children}</PortsContext>
}

/**
 * An unknown backend gets no controls (CAP-4). A live backend gets simulated controls only for what it does not offer
 * (CAP-8); what it offers without a live port here is 'unsupported'.
 */
export function choosePorts(backend: Backend | undefined): PortChoices {
  if (backend === undefined) return UNKNOWN_PORTS
  const simulated = createSimulatedPorts()
  const choose = <Port,>(capability: Capability, simulation: Port, live?: Port): Port | NoPort =>
    offers(backend, capability) ? (live ?? { kind: 'unsupported' }) : simulation
  return {
    components: choose('components', simulated.components, createLiveComponents()),
    features: choose('features', simulated.features),
    services: choose('services', simulated.services),
    adapters: choose('adapters', simulated.adapters),
    monitoring: choose('monitoring', simulated.monitoring),
    settings: choose('settings', simulated.settings),
  }
}

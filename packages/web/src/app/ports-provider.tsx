import type { Capability } from '@binnacle/contract'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useMemo } from 'react'
import { type Backend, capabilityQueries } from '#data/capabilities.ts'
import type { Ports } from '#ports/controls.ts'
import { PortsContext } from '#ports/ports-context.ts'
import { createSimulatedPorts } from '#ports/simulated/simulated-ports.ts'

export interface PortsProviderProps {
  children: ReactNode
}

/** Which capability makes which port live. */
const capabilityOf: Record<keyof Ports, Capability> = {
  components: 'components',
  features: 'features',
  adapters: 'adapters',
  monitoring: 'monitoring',
  settings: 'settings',
}

export function PortsProvider({ children }: PortsProviderProps) {
  const { data: backend } = useQuery(capabilityQueries.backend())
  const ports = useMemo(() => choosePorts(backend), [backend])
  return <PortsContext value={ports}>{children}</PortsContext>
}

/**
 * CAP: an unknown backend gets no controls, and where a backend is live a simulated control would be a lie,
 * so only what it does not offer is simulated.
 */
export function choosePorts(backend: Backend | undefined): Partial<Ports> {
  if (backend === undefined) return {}
  const simulated = createSimulatedPorts()
  if (backend.kind === 'baseline') return simulated
  const offered = Object.entries(capabilityOf).filter(([, capability]) =>
    backend.capabilities.has(capability),
  )
  const without = Object.fromEntries(offered.map(([name]) => [name, undefined]))
  return { ...simulated, ...without }
}

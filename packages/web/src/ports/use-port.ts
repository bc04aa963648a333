import { useQuery } from '@tanstack/react-query'
import { createContext, useContext, useMemo } from 'react'
import { capabilityQueries } from '#data/capabilities.ts'
import { choosePorts, type NoPort, type PortChoices } from './choose-ports.ts'
import type { PortKind, Ports } from './controls.ts'

/** Ports given by a test; without them the backend's capabilities decide. */
export const PortsContext = createContext<PortChoices | undefined>(undefined)

/** The port of a screen, or the reason why it has none. */
export function usePort<Name extends keyof Ports>(name: Name): PortChoices[Name] {
  const given = useContext(PortsContext)
  const { data: backend } = useQuery(capabilityQueries.backend())
  const port = useMemo(() => choosePorts(backend)[name], [backend, name])
  return given?.[name] ?? port
}

export function isPort<Port extends { kind: PortKind }>(choice: Port | NoPort): choice is Port {
  return choice.kind !== 'unknown' && choice.kind !== 'unsupported'
}

import { createContext, useContext } from 'react'
import type { PortKind, Ports } from './controls.ts'

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

export const PortsContext = createContext<PortChoices>(UNKNOWN_PORTS)

/** The port of a screen, or the reason why it has none. */
export function usePort<Name extends keyof Ports>(name: Name): PortChoices[Name] {
  return useContext(PortsContext)[name]
}

export function isPort<Port extends { kind: PortKind }>(choice: Port | NoPort): choice is Port {
  return choice.kind !== 'unknown' && choice.kind !== 'unsupported'
}

import { createContext, useContext } from 'react'
import type { Ports } from './controls.ts'

/**
 * Why a screen shows no controls: nobody knows yet what the backend is, or the backend offers them live and this
 * console cannot drive them. Simulated ones would be a lie in both cases (CAP-4).
 */
export interface NoPort {
  readonly kind: 'unknown' | 'undrivable'
}

export type PortChoices = { readonly [Name in keyof Ports]: Ports[Name] | NoPort }

export const NOTHING_KNOWN: PortChoices = {
  components: { kind: 'unknown' },
  features: { kind: 'unknown' },
  services: { kind: 'unknown' },
  adapters: { kind: 'unknown' },
  monitoring: { kind: 'unknown' },
  settings: { kind: 'unknown' },
}

export const PortsContext = createContext<PortChoices>(NOTHING_KNOWN)

/** The port behind a screen, or why there is none. */
export function usePort<Name extends keyof Ports>(name: Name): PortChoices[Name] {
  return useContext(PortsContext)[name]
}

export function isPort<Port extends { kind: 'simulated' | 'live' }>(choice: Port | NoPort): choice is Port {
  return choice.kind === 'simulated' || choice.kind === 'live'
}

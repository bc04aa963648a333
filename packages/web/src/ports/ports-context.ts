import { createContext, useContext } from 'react'
import type { Ports } from './controls.ts'

/** Undefined while it is unknown what the backend is: then a page shows no controls at all. */
export const PortsContext = createContext<Partial<Ports>>({})

/** The port behind a screen, or undefined while the backend is unknown or cannot be controlled from here. */
export function usePort<Name extends keyof Ports>(name: Name): Ports[Name] | undefined {
  return useContext(PortsContext)[name]
}

import { queryOptions } from '@tanstack/react-query'
import type { FailurePolicy } from '#data/failure.ts'
import type {
  AdapterControls,
  ComponentControls,
  FeatureControls,
  Monitoring,
  PortKind,
  Ports,
  ServiceControls,
  SettingsControls,
} from './controls.ts'

export interface ReadOptions {
  onFailure: FailurePolicy
}

/** As the trader dashboard polls the same figures. */
const LIVE_POLL_MS = 5000

/** What a port shows, read through the one cache like every other load. */
export const portQueries = {
  components: (port: ComponentControls, options: ReadOptions) =>
    reading('components', port.kind, () => port.list(), options),
  features: (port: FeatureControls, options: ReadOptions) =>
    reading('features', port.kind, () => port.list(), options),
  services: (port: ServiceControls, options: ReadOptions) =>
    reading('services', port.kind, () => port.list(), options),
  adapters: (port: AdapterControls, options: ReadOptions) =>
    reading('adapters', port.kind, () => port.list(), options),
  monitoring: (port: Monitoring, options: ReadOptions) =>
    reading('monitoring', port.kind, () => port.figures(), options),
  settings: (port: SettingsControls, options: ReadOptions) =>
    reading('settings', port.kind, () => port.load(), options),
}

/** The part of the cache that belongs to a port, its readings and its acts alike. */
export function portKey(name: keyof Ports) {
  return ['ports', name] as const
}

// The kind is part of the key: a simulated reading must never be shown for a live port.
function reading<Value>(
  name: keyof Ports,
  kind: PortKind,
  read: () => Promise<Value>,
  { onFailure }: ReadOptions,
) {
  const isLive = kind === 'live'
  return queryOptions({
    queryKey: [...portKey(name), kind],
    queryFn: read,
    refetchInterval: isLive ? LIVE_POLL_MS : false,
    meta: { onFailure, isPolled: isLive },
  })
}

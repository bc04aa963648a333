import { queryOptions } from '@tanstack/react-query'
import type { FailurePolicy } from '#data/failure.ts'
import type {
  AdapterControls,
  ComponentControls,
  FeatureControls,
  FixedMonitoring,
  FixedSettings,
  LiveMonitoring,
  PortKind,
  Ports,
  ServiceControls,
} from './controls.ts'

export interface ReadOptions {
  onFailure: FailurePolicy
  /** The interval of a live port. */
  pollMs?: number
}

/** The interval of the trader dashboard, which polls the same call. */
const LIVE_POLL_MS = 5000
/** The server measures once a second. */
const MEASURED_POLL_MS = 2000

/** Queries for what the ports list, through the shared query cache. */
export const portQueries = {
  components: (port: ComponentControls, options: ReadOptions) =>
    portQuery('components', port.kind, () => port.list(), options),
  features: (port: FeatureControls, options: ReadOptions) =>
    portQuery('features', port.kind, () => port.list(), options),
  services: (port: ServiceControls, options: ReadOptions) =>
    portQuery('services', port.kind, () => port.list(), options),
  adapters: (port: AdapterControls, options: ReadOptions) =>
    portQuery('adapters', port.kind, () => port.list(), options),
  monitoring: (port: FixedMonitoring, options: ReadOptions) =>
    portQuery('monitoring', port.kind, () => port.figures(), options),
  measured: (port: LiveMonitoring, options: ReadOptions) =>
    portQuery('monitoring', port.kind, () => port.read(), { ...options, pollMs: MEASURED_POLL_MS }),
  settings: (port: FixedSettings, options: ReadOptions) =>
    portQuery('settings', port.kind, () => port.load(), options),
}

/** Key prefix of the queries and mutations of one port. */
export function portKey(name: keyof Ports) {
  return ['ports', name] as const
}

// The kind is part of the key, so simulated data is never shown for a live port.
function portQuery<Value>(
  name: keyof Ports,
  kind: PortKind,
  read: () => Promise<Value>,
  { onFailure, pollMs = LIVE_POLL_MS }: ReadOptions,
) {
  const isLive = kind === 'live'
  return queryOptions({
    queryKey: [...portKey(name), kind],
    queryFn: read,
    refetchInterval: isLive ? pollMs : false,
    meta: { onFailure, isPolled: isLive },
  })
}

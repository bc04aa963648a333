import type { Ports } from './controls.ts'
import { createSimulatedPorts } from './simulated-ports.ts'

const NO_FIGURE = '—'

/**
 * Ports for a backend that lists its capabilities without these (CAP-8): the entries of the specification without any
 * status, because an invented one would mislead. Their screens disable every control, so no action is ever called.
 */
export function createUnofferedPorts(): Ports {
  const { components, features, services, adapters, monitoring, settings } = createSimulatedPorts(refuse)
  const figures = { cpuUsage: NO_FIGURE, memory: NO_FIGURE, requestsPerSecond: NO_FIGURE, uptime: NO_FIGURE }
  return {
    components: {
      ...components,
      kind: 'not-offered',
      list: async () => withoutStatus(await components.list()),
    },
    features: {
      ...features,
      kind: 'not-offered',
      list: async () => (await features.list()).map(({ id, name }) => ({ id, name })),
    },
    services: { ...services, kind: 'not-offered', list: async () => withoutStatus(await services.list()) },
    adapters: { ...adapters, kind: 'not-offered', list: async () => withoutStatus(await adapters.list()) },
    monitoring: { ...monitoring, kind: 'not-offered', figures: async () => figures },
    settings: { ...settings, kind: 'not-offered' },
  }
}

function withoutStatus<Item extends { status: string }>(entries: readonly Item[]): readonly Item[] {
  return entries.map((entry) => ({ ...entry, status: NO_FIGURE }))
}

async function refuse(): Promise<never> {
  throw new Error('Not offered by this engine')
}

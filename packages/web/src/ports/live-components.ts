import { components, engine } from '@binnacle/contract'
import { call } from '#data/client.ts'
import type { ComponentControls, ComponentEntry } from './controls.ts'

/** Controls the real components of the engine through the API. */
export function createLiveComponents(): ComponentControls {
  const act: ComponentControls['act'] = async (action, componentId) => {
    await call(components[action], { body: { component: componentId } })
  }
  return {
    kind: 'live',
    list,
    act,
    actOnAll: async (action) => {
      for (const { id } of await list()) await act(action, id)
    },
    configure: async (componentId, config) => {
      await call(components.configure, { body: { component: componentId, config } })
    },
  }
}

async function list(): Promise<ComponentEntry[]> {
  const { components: entries } = await call(engine.systemInfo, {})
  return (entries ?? []).map(({ id, config, ...rest }) => ({ ...rest, id: String(id), config: config ?? {} }))
}

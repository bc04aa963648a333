import { components, engine } from '@binnacle/contract'
import { call } from '#data/client.ts'
import type { ComponentControls, ComponentEntry, ComponentOutcome } from './controls.ts'

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
      const outcomes: ComponentOutcome[] = []
      for (const { id, name } of await list()) {
        const error = await act(action, id).then(
          () => undefined,
          (reason: unknown) => reason,
        )
        outcomes.push({ id, name, error })
      }
      return outcomes
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

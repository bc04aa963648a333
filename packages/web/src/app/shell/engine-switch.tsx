import type { EngineEntry } from '@binnacle/contract'
import { useIsMutating } from '@tanstack/react-query'
import { isShown, useEngines } from '#data/engines.ts'
import { switchEngineAndReload } from '#data/transport/chosen-engine.ts'
import { useIsPhone } from '#ui/look/use-is-phone.ts'
import classes from './engine-switch.module.css'

export interface EngineSwitchProps {
  /** On a phone the header has no space for it. */
  place: 'header' | 'bar'
}

/** ENGS-13: name, state and mode of the engine that the console shows, and the choice of another one. */
export function EngineSwitch({ place }: EngineSwitchProps) {
  const engines = useEngines()
  const isPhone = useIsPhone()
  // Another engine is another page: an answer under way would be lost.
  const isBusy = useIsMutating() > 0
  const shown = engines.find(isShown)
  if (engines.length < 2 || isPhone !== (place === 'bar')) return null
  return (
    <section aria-label="Shown engine" className={classes.switch} data-place={place}>
      <label>
        <span>Engine</span>
        <select
          value={shown?.name ?? ''}
          disabled={isBusy}
          data-tone={shown?.state === 'running' ? 'good' : 'bad'}
          onChange={({ target }) => switchEngineAndReload(target.value)}
        >
          {shown === undefined && <option value="">Unknown engine</option>}
          {engines.map((engine) => (
            <option key={engine.name} value={engine.name}>
              {describe(engine)}
            </option>
          ))}
        </select>
      </label>
    </section>
  )
}

function describe({ name, state, mode, trading_state: trading }: EngineEntry): string {
  const parts = [name, state, mode, trading !== null && trading !== 'ACTIVE' && trading]
  return parts.filter(Boolean).join(' · ')
}

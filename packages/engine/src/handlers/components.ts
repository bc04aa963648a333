import type { ComponentName, ComponentStatus } from '#model/component.ts'
import { cancelWhere } from '#orders/cancel.ts'
import { CANCELS_ORDERS_WHEN_STOPPED } from '#state/components.ts'
import { emit } from '#step/record.ts'
import { type CommandAnswer, type Core, DONE } from '#step/step-core.ts'
import { readComponentSettings } from './component-settings.ts'

/** Changes a component's status and applies the consequence of a stop. No change if it already has the status. */
export function changeComponentStatus(
  core: Core,
  component: ComponentName,
  status: ComponentStatus,
  reason: string | null = null,
): CommandAnswer {
  const before = core.state.components[component].status
  if (before === status) return DONE
  emit(core, { type: 'ComponentChanged', component, status, reason, before })
  if (component === CANCELS_ORDERS_WHEN_STOPPED && status === 'stopped') {
    cancelWhere(core, { code: 'cancel.component-stopped', component }, () => true)
  }
  return DONE
}

/** Configures a component; an unknown setting is refused. */
export function configureComponent(core: Core, component: ComponentName, config: string): CommandAnswer {
  const settings = readComponentSettings(component, config, core.instruments)
  if (!settings.ok) return settings
  const before = core.state.components[component].config
  emit(core, { type: 'ComponentConfigured', component, config, before })
  return DONE
}

/** Stops and starts a component; one that is down is only started. */
export function restartComponent(core: Core, component: ComponentName): CommandAnswer {
  changeComponentStatus(core, component, 'stopped')
  return changeComponentStatus(core, component, 'running')
}

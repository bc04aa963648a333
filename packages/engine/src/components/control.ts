import { type Answer, type Core, DONE, emit } from '#core.ts'
import { cancelWhere } from '#orders/cancel.ts'
import type { ComponentName, ComponentStatus } from './names.ts'
import { readComponentSettings } from './settings.ts'

/** Brings a component into a status, with what design.md 5 says that means. Already there is no change. */
export function setComponent(
  core: Core,
  component: ComponentName,
  status: ComponentStatus,
  reason: string | null = null,
): void {
  const before = core.state.components[component].status
  if (before === status) return
  emit(core, { type: 'ComponentChanged', component, status, reason, before })
  // The other consequences are questions of the gate and of the tick handler; only this one acts at the stop.
  if (component === 'ExecutionEngine' && status === 'stopped') {
    cancelWhere(core, { code: 'cancel.component-stopped', component }, () => true)
  }
}

/** Sets what can be set on a component; a setting that it does not have is refused. */
export function configureComponent(core: Core, component: ComponentName, config: string): Answer {
  const settings = readComponentSettings(component, config, core.instruments)
  if (!settings.ok) return settings
  const before = core.state.components[component].config
  emit(core, { type: 'ComponentConfigured', component, config, before })
  return DONE
}

/** Stops and starts again; a component that was down is only started. */
export function restartComponent(core: Core, component: ComponentName): void {
  setComponent(core, component, 'stopped')
  setComponent(core, component, 'running')
}

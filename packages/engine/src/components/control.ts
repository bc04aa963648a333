import { type Core, emit } from '#core.ts'
import { cancelWhere } from '#orders/cancel.ts'
import type { ComponentName, ComponentStatus } from './names.ts'

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

/** Keeps the configuration last given; the engine does not read it. */
export function configureComponent(core: Core, component: ComponentName, config: string): void {
  const before = core.state.components[component].config
  emit(core, { type: 'ComponentConfigured', component, config, before })
}

/** Stops and starts again; a component that was down is only started. */
export function restartComponent(core: Core, component: ComponentName): void {
  setComponent(core, component, 'stopped')
  setComponent(core, component, 'running')
}

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
  if (core.state.components[component].status === status) return
  emit(core, { type: 'ComponentChanged', component, status, reason })
  // The other consequences are questions of the gate and of the tick handler; only this one acts at the stop.
  if (component === 'ExecutionEngine' && status === 'stopped') {
    cancelWhere(core, { code: 'cancel.component-stopped', component }, () => true)
  }
}

/** Stops and starts again; a component that was down is only started. */
export function restartComponent(core: Core, component: ComponentName): void {
  setComponent(core, component, 'stopped')
  setComponent(core, component, 'running')
}

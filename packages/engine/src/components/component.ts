import type { Event } from '#event.ts'
import type { ComponentName, ComponentStatus } from './names.ts'

export interface ComponentState {
  status: ComponentStatus
  /** Why it is in error, in words; null otherwise. */
  reason: string | null
  /** The configuration last given, as JSON text. */
  config: string
}

export type Components = Record<ComponentName, ComponentState>

/** Returns all six components running with an empty configuration. */
export function createComponents(): Components {
  const running = (): ComponentState => ({ status: 'running', reason: null, config: '{}' })
  return {
    DataEngine: running(),
    ExecutionEngine: running(),
    RiskEngine: running(),
    Portfolio: running(),
    Cache: running(),
    MessageBus: running(),
  }
}

/** Folds a component's events. */
export function applyToComponents(components: Components, event: Event): void {
  if (event.type === 'ComponentChanged') {
    components[event.component].status = event.status
    components[event.component].reason = event.reason
  } else if (event.type === 'ComponentConfigured') {
    components[event.component].config = event.config
  }
}

export function isUp(components: Components, name: ComponentName): boolean {
  return components[name].status === 'running'
}

import type { ComponentName, ComponentStatus } from '#model/component.ts'
import type { Event } from '#model/event.ts'

export interface ComponentState {
  status: ComponentStatus
  /** The error message; null otherwise. */
  reason: string | null
  /** The latest configuration, as JSON text. */
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

/** A function of the desk that needs components. */
export type NeededFor =
  | 'order'
  | 'addExposure'
  | 'marketData'
  | 'strategies'
  | 'portfolioFigures'
  | 'dailyLossCheck'

/** A component whose stop cancels all working orders. */
export const CANCELS_ORDERS_WHEN_STOPPED: ComponentName = 'ExecutionEngine'

/**
 * Returns the first component that the function needs and that does not run, or null. Cache is needed for nothing: lists
 * only get slower. Components are read by name, since every order asks and a variable name takes longer.
 */
export function findDown(components: Components, needed: NeededFor): ComponentName | null {
  switch (needed) {
    // Every order, closes included.
    case 'order':
      return isRunning(components.ExecutionEngine) ? null : 'ExecutionEngine'
    // Orders that add exposure; cancels and orders that reduce pass.
    case 'addExposure':
    case 'dailyLossCheck':
      if (!isRunning(components.RiskEngine)) return 'RiskEngine'
      return isRunning(components.Portfolio) ? null : 'Portfolio'
    // Quotes: marks, ticks for strategies, and market orders.
    case 'marketData':
      return isRunning(components.DataEngine) ? null : 'DataEngine'
    // Ticks and bars for strategies.
    case 'strategies':
      return isRunning(components.MessageBus) ? null : 'MessageBus'
    // P&L, high-water mark and drawdown; the figures freeze without it.
    case 'portfolioFigures':
      return isRunning(components.Portfolio) ? null : 'Portfolio'
  }
}

function isRunning({ status }: ComponentState): boolean {
  return status === 'running'
}

export function isAvailable(components: Components, needed: NeededFor): boolean {
  return findDown(components, needed) === null
}

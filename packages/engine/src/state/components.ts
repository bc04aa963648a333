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

/** What a component is needed for while it runs. Cache is needed for nothing: lists only get slower. */
const NEEDED = {
  /** Every order, closes included. */
  order: ['ExecutionEngine'],
  /** Orders that add exposure; cancels and orders that reduce pass. */
  addExposure: ['RiskEngine', 'Portfolio'],
  /** Quotes: marks, ticks for strategies, and market orders. */
  marketData: ['DataEngine'],
  /** Ticks and bars for strategies. */
  strategies: ['MessageBus'],
  /** P&L, high-water mark and drawdown; the figures freeze without it. */
  portfolioFigures: ['Portfolio'],
  dailyLossCheck: ['RiskEngine', 'Portfolio'],
} as const satisfies Record<string, readonly ComponentName[]>

/** A function of the desk that needs components. */
export type NeededFor = keyof typeof NEEDED

/** A component whose stop cancels all working orders. */
export const CANCELS_ORDERS_WHEN_STOPPED: ComponentName = 'ExecutionEngine'

/** Returns the first component that the function needs and that does not run, or null. */
export function findDown(components: Components, needed: NeededFor): ComponentName | null {
  for (const name of NEEDED[needed]) if (components[name].status !== 'running') return name
  return null
}

export function isAvailable(components: Components, needed: NeededFor): boolean {
  return findDown(components, needed) === null
}

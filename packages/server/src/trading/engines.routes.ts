import { type EngineEntry, engines } from '@binnacle/contract'
import type { Desk } from '@binnacle/engine'
import type { FastifyInstance } from 'fastify'
import { mount } from '#http/mount.ts'
import { infoToWire } from './engine.wire.ts'
import { tradingStateToWire } from './risk.wire.ts'

/** An engine of the console as the list of engines shows it. */
export interface ListedEngine {
  readonly name: string
  readonly kind: string
  /** Undefined until it is reached. */
  readonly desk: Desk | undefined
  /** When its desk last reported a change. */
  readonly reportedAtMs: number | undefined
  /** Why it was not reached, after the first attempt. */
  readonly failure: string | undefined
}

/** The first of the list is the default. */
export function addEnginesRoutes(app: FastifyInstance, list: () => readonly ListedEngine[]): void {
  mount(app, engines.list, () => ({
    engines: list().map((engine, index) => engineToWire(engine, index === 0, Date.now())),
  }))
}

function engineToWire(engine: ListedEngine, isDefault: boolean, nowMs: number): EngineEntry {
  const { name, kind, desk, failure, reportedAtMs } = engine
  const identity = { name, kind, is_default: isDefault }
  if (desk === undefined) {
    const state = failure === undefined ? 'starting' : 'unreachable'
    return { ...identity, mode: null, state, reason: failure ?? null, trading_state: null, age_s: null }
  }
  const { views } = desk
  return {
    ...identity,
    mode: modeOf(kind, views.engine().account),
    state: infoToWire(desk, '').status,
    reason: views.haltReason ?? views.engine().identity?.readOnlyBecause ?? null,
    trading_state: tradingStateToWire(views.risk(), views.haltReason).state,
    age_s: reportedAtMs === undefined ? null : Math.max(0, Math.round((nowMs - reportedAtMs) / 1000)),
  }
}

function modeOf(kind: string, account: string): EngineEntry['mode'] {
  if (account === 'paper') return 'paper'
  return kind === 'embedded' ? 'simulated' : 'live'
}

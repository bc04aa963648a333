import { type Answer, type Core, DONE, emit } from '#core.ts'
import type { AddStrategy, GivenConfig } from '#input.ts'
import { demandShortKey } from '#orders/parse-order.ts'
import type { Conflict } from '#orders/reasons.ts'
import type { Position } from '#positions/position.ts'
import { type StrategyId, strategyId } from '#values/ids.ts'
import { netQuantity, quantityToNumber } from '#values/quantity.ts'
import { type Result, refuse } from '#values/result.ts'
import { attemptIntents } from './attempt.ts'
import { buildStrategy } from './build.ts'
import { carryOut, failStrategy, takeBackOrders } from './carry-out.ts'
import type { Intent } from './intent.ts'
import type { StrategyRecord } from './strategy-register.ts'

/** Adds a strategy, stopped, when its settings make sense; a key that was used before adds nothing more. */
export function addStrategy(core: Core, command: AddStrategy): Answer {
  const { name, strategyType, description, key } = command
  const repeated = addedBefore(core, command)
  if (repeated) return repeated
  const unfit = demandShortKey(key)
  if (unfit !== null) return refuse(unfit)
  const built = buildStrategy(core.live.kinds, strategyType, command.config, core.instruments)
  if (!built.ok) return built
  const strategy = strategyId(core.state.strategies.nextNumber)
  const { config } = built.value
  const keyed = key === undefined ? {} : { key }
  emit(core, { type: 'StrategyAdded', strategy, name, strategyType, description, config, ...keyed })
  return { ...DONE, strategy }
}

function addedBefore(core: Core, { name, strategyType, key }: AddStrategy): Answer | null {
  const known = key && core.state.strategies.keys.get(key)
  if (!known) return null
  const first = core.state.strategies.all.get(known.strategy)
  const isOther = first !== undefined && (first.name !== name || first.type !== strategyType)
  if (isOther) return refuse({ code: 'key.used', by: known.strategy })
  return { ...DONE, strategy: known.strategy, repeats: known.seq }
}

/** Lets a strategy run; one that runs already goes on. */
export function startStrategy(core: Core, id: StrategyId): Answer {
  const found = recordOf(core, id)
  if (!found.ok) return found
  const { status: before, type, config } = found.value
  if (before === 'running') return DONE
  const built = buildStrategy(core.live.kinds, type, JSON.parse(config), core.instruments)
  if (!built.ok) return built
  emit(core, { type: 'StrategyStarted', strategy: id, before })
  core.live.start(id, built.value.strategy)
  return DONE
}

/** Stops a strategy and takes its working orders back; what it holds stays until someone closes it. */
export function stopStrategy(core: Core, id: StrategyId, why: string | null): Answer {
  const found = recordOf(core, id)
  if (!found.ok) return found
  const before = found.value.status
  if (before === 'stopped') return DONE
  core.live.stop(id)
  core.live.broken.delete(id)
  emit(core, { type: 'StrategyStopped', strategy: id, why, before })
  takeBackOrders(core, id)
  return DONE
}

/** Marks a strategy as failed, for whoever runs one outside the engine. */
export function endStrategy(core: Core, id: StrategyId, reason: string): Answer {
  const found = runningRecord(core, id)
  if (!found.ok) return found
  failStrategy(core, id, reason)
  return DONE
}

/** Gives a strategy other settings; a running one goes on with them from the next bar. */
export function reconfigureStrategy(core: Core, id: StrategyId, config: GivenConfig): Answer {
  const found = recordOf(core, id)
  if (!found.ok) return found
  const { type, config: before } = found.value
  const built = buildStrategy(core.live.kinds, type, config, core.instruments)
  if (!built.ok) return built
  const { strategy } = built.value
  const left = heldBy(core, id).filter(({ instrument }) => !strategy.instruments.includes(instrument))
  // What it no longer listens to it could never close.
  if (left.length > 0) return refuse(holding(core, found.value, left))
  if (built.value.config === before) return DONE
  emit(core, { type: 'StrategyReconfigured', strategy: id, config: built.value.config, before })
  const runner = core.live.runners.get(id)
  if (runner !== undefined) runner.next = strategy
  return DONE
}

/** Forgets a strategy that holds nothing; its results stay in the books. */
export function removeStrategy(core: Core, id: StrategyId): Answer {
  const found = recordOf(core, id)
  if (!found.ok) return found
  const { name } = found.value
  const held = heldBy(core, id)
  if (held.length > 0) return refuse(holding(core, found.value, held))
  const orders = [...core.state.orders.working.values()].filter(({ terms }) => terms.strategy === id).length
  if (orders > 0) return refuse({ code: 'strategy.orders-working', strategy: id, name, orders })
  stopStrategy(core, id, null)
  emit(core, { type: 'StrategyRemoved', strategy: id, name })
  return DONE
}

/** Carries out what a strategy that runs outside the engine wants, as if it had said so on a tick. */
export function giveIntents(core: Core, id: StrategyId, intents: readonly Intent[]): Answer {
  const found = runningRecord(core, id)
  if (!found.ok) return found
  const runner = core.live.runners.get(id)
  if (runner === undefined) return refuse({ code: 'strategy.not-running', strategy: id })
  runner.desk.now = core.draft.at
  runner.desk.isLive = true
  const failure = attemptIntents(runner, intents)
  if (failure === null) carryOut(core, runner)
  else failStrategy(core, id, failure)
  return DONE
}

function recordOf(core: Core, id: StrategyId): Result<StrategyRecord, Conflict> {
  const record = core.state.strategies.all.get(id)
  return record ? { ok: true, value: record } : refuse({ code: 'strategy.unknown', strategy: id })
}

function runningRecord(core: Core, id: StrategyId): Result<StrategyRecord, Conflict> {
  const found = recordOf(core, id)
  if (!found.ok || found.value.status === 'running') return found
  return refuse({ code: 'strategy.not-running', strategy: id })
}

function heldBy(core: Core, id: StrategyId): Position[] {
  return [...core.state.positions.open.values()].filter(({ strategy }) => strategy === id)
}

function holding(core: Core, { id, name, status }: StrategyRecord, held: readonly Position[]): Conflict {
  const isRunning = status === 'running'
  return { code: 'strategy.holds', strategy: id, name, held: describeHeld(core, held), isRunning }
}

function describeHeld(core: Core, held: readonly Position[]): string {
  return held
    .map(({ id, instrument, quantity }) => {
      const { lot } = core.instruments.get(instrument)
      const size = quantityToNumber(netQuantity(Math.abs(quantity)), lot)
      return `${quantity > 0 ? 'long' : 'short'} ${size} ${instrument} (${id})`
    })
    .join(', ')
}

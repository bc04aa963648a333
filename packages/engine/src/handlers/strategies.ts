import type { AddStrategy, Command, RawConfig } from '#model/input.ts'
import type { Position } from '#model/position.ts'
import type { CancelCause, Conflict, MalformedInput } from '#model/reasons.ts'
import { refuseOldKey } from '#orders/key-age.ts'
import { validateKey } from '#orders/parse-order.ts'
import { parseAmount } from '#risk/limits.ts'
import { isEmergencyActive } from '#state/risk-register.ts'
import type { StrategyRecord } from '#state/strategy-register.ts'
import { emit } from '#step/record.ts'
import { type CommandAnswer, DONE } from '#step/step-core.ts'
import { buildStrategy } from '#strategies/build.ts'
import { cancelOrdersOf, executeIntents, failStrategy } from '#strategies/runtime/dispatch.ts'
import { attemptIntents, type StrategyCore } from '#strategies/runtime/running-strategies.ts'
import type { DecimalText } from '#values/decimal.ts'
import { type InstrumentId, MANUAL, type StrategyId, strategyId } from '#values/ids.ts'
import { printMoney } from '#values/money.ts'
import { netQuantityFromLots, quantityToNumber } from '#values/quantity.ts'
import { type Result, refuse } from '#values/result.ts'

/** Adds a stopped strategy if its settings are valid. A repeated key adds nothing. */
export function addStrategy(core: StrategyCore, command: AddStrategy): CommandAnswer {
  const { name, strategyType, description, key } = command
  const repeated = addedBefore(core, command)
  if (repeated) return repeated
  const keyProblem = validateKey(key)
  if (keyProblem !== null) return refuse(keyProblem)
  const taken = findTakenName(core, name)
  if (taken !== null) return refuse(taken)
  const tooOld = key === undefined ? null : refuseOldKey(key, core.draft.at)
  if (tooOld !== null) return tooOld
  const built = buildStrategy(core.running.kinds, strategyType, command.config, core.instruments)
  if (!built.ok) return built
  const strategy = strategyId(Math.max(core.state.strategies.nextNumber, command.minNumber ?? 1))
  const { config } = built.value
  const keyed = key === undefined ? {} : { key }
  emit(core, { type: 'StrategyAdded', strategy, name, strategyType, description, config, ...keyed })
  return { ...DONE, strategy }
}

/** Names are unique whatever their case; older journals may have duplicates. */
function findTakenName(core: StrategyCore, name: string, except?: StrategyId): MalformedInput | null {
  const wanted = comparable(name)
  if (wanted === comparable(MANUAL)) return { code: 'strategy.name-taken', name, by: MANUAL }
  for (const { id, name: taken } of core.state.strategies.all.values()) {
    if (id !== except && comparable(taken) === wanted) return { code: 'strategy.name-taken', name, by: id }
  }
  return null
}

function comparable(name: string): string {
  return name.normalize('NFKC').toLowerCase()
}

function addedBefore(core: StrategyCore, { name, strategyType, key }: AddStrategy): CommandAnswer | null {
  const known = key && core.state.strategies.keys.get(key)
  if (!known) return null
  const first = core.state.strategies.all.get(known.strategy)
  const isOther = first !== undefined && (first.name !== name || first.type !== strategyType)
  if (isOther) return refuse({ code: 'key.used', by: known.strategy })
  return { ...DONE, strategy: known.strategy, repeats: known.seq }
}

/** Starts a strategy; no change if it runs already. */
export function startStrategy(core: StrategyCore, id: StrategyId): CommandAnswer {
  const found = recordOf(core, id)
  if (!found.ok) return found
  const { status: before, type, config } = found.value
  if (before === 'running') return DONE
  if (isEmergencyActive(core.state.risk)) return refuse({ code: 'emergency.active' })
  const built = buildStrategy(core.running.kinds, type, JSON.parse(config), core.instruments)
  if (!built.ok) return built
  emit(core, { type: 'StrategyStarted', strategy: id, before })
  core.running.start(id, built.value.strategy)
  return DONE
}

/** Stops a strategy and cancels its working orders. Its positions stay open. */
export function stopStrategy(
  core: StrategyCore,
  id: StrategyId,
  why: string | null,
  cause: CancelCause = { code: 'cancel.strategy-stopped', strategy: id },
): CommandAnswer {
  const found = recordOf(core, id)
  if (!found.ok) return found
  const { status: before, reason } = found.value
  if (before === 'stopped') return DONE
  // CALL-58: the reason of a failure stays until the next start.
  const lasting = before === 'error' ? (why ?? reason) : why
  core.running.stop(id)
  core.running.broken.delete(id)
  emit(core, { type: 'StrategyStopped', strategy: id, why: lasting, before })
  cancelOrdersOf(core, id, cause)
  return DONE
}

/** Marks a strategy that runs outside the engine as failed. */
export function reportStrategyFailure(core: StrategyCore, id: StrategyId, reason: string): CommandAnswer {
  const found = runningRecord(core, id)
  if (!found.ok) return found
  failStrategy(core, id, reason)
  return DONE
}

/** Changes a strategy's settings; a running one applies them from the next bar. */
export function reconfigureStrategy(core: StrategyCore, id: StrategyId, config: RawConfig): CommandAnswer {
  const found = recordOf(core, id)
  if (!found.ok) return found
  const { type, config: before } = found.value
  const built = buildStrategy(core.running.kinds, type, config, core.instruments)
  if (!built.ok) return built
  const { strategy } = built.value
  const left = heldBy(core, id).filter(({ instrument }) => !strategy.instruments.includes(instrument))
  // A strategy cannot close positions in instruments it does not subscribe to.
  if (left.length > 0) return refuse(holding(core, found.value, left))
  if (built.value.config === before) return DONE
  emit(core, { type: 'StrategyReconfigured', strategy: id, config: built.value.config, before })
  const runner = core.running.runners.get(id)
  if (runner !== undefined) runner.next = strategy
  return DONE
}

/** Gives a strategy another name; one that another strategy has is refused. */
export function renameStrategy(core: StrategyCore, id: StrategyId, name: string): CommandAnswer {
  const found = recordOf(core, id)
  if (!found.ok) return found
  const { name: before } = found.value
  if (name === before) return DONE
  const taken = findTakenName(core, name, id)
  if (taken !== null) return refuse(taken)
  emit(core, { type: 'StrategyRenamed', strategy: id, name, before })
  return DONE
}

/** Sets the loss at which a strategy may only reduce, or removes that limit. */
export function limitStrategyLoss(
  core: StrategyCore,
  id: StrategyId,
  given: DecimalText | null,
): CommandAnswer {
  const found = recordOf(core, id)
  if (!found.ok) return found
  const amount = given === null ? null : parseAmount('lossLimit', given)
  if (amount !== null && !amount.ok) return amount
  const limit = amount && printMoney(amount.value)
  const before = found.value.lossLimit ?? null
  if (limit !== before) emit(core, { type: 'StrategyLossLimited', strategy: id, limit, before })
  return DONE
}

/** Removes a strategy without positions; its results stay in the account. */
export function removeStrategy(core: StrategyCore, id: StrategyId): CommandAnswer {
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

/**
 * Executes the intents of a strategy that runs outside the engine, as if it had them on a tick. Those given before its
 * instruments changed are dropped: their slots are of other instruments now.
 */
export function submitIntents(
  core: StrategyCore,
  { strategy: id, intents, instruments }: Extract<Command, { type: 'SubmitIntents' }>,
): CommandAnswer {
  const found = runningRecord(core, id)
  if (!found.ok) return found
  const runner = core.running.runners.get(id)
  if (runner === undefined) return refuse({ code: 'strategy.not-running', strategy: id })
  if (instruments !== undefined && !isSameList(instruments, runner.strategy.instruments)) return DONE
  runner.context.now = core.draft.at
  runner.context.isLive = true
  const failure = attemptIntents(runner, intents)
  if (failure === null) executeIntents(core, runner)
  else failStrategy(core, id, failure)
  return DONE
}

function isSameList(one: readonly InstrumentId[], other: readonly InstrumentId[]): boolean {
  return one.length === other.length && one.every((id, slot) => id === other[slot])
}

function recordOf(core: StrategyCore, id: StrategyId): Result<StrategyRecord, Conflict> {
  const record = core.state.strategies.all.get(id)
  return record ? { ok: true, value: record } : refuse({ code: 'strategy.unknown', strategy: id })
}

function runningRecord(core: StrategyCore, id: StrategyId): Result<StrategyRecord, Conflict> {
  const found = recordOf(core, id)
  if (!found.ok || found.value.status === 'running') return found
  return refuse({ code: 'strategy.not-running', strategy: id })
}

function heldBy(core: StrategyCore, id: StrategyId): Position[] {
  return [...core.state.positions.open.values()].filter(({ strategy }) => strategy === id)
}

function holding(
  core: StrategyCore,
  { id, name, status }: StrategyRecord,
  held: readonly Position[],
): Conflict {
  const isRunning = status === 'running'
  return { code: 'strategy.holds', strategy: id, name, held: describeHeld(core, held), isRunning }
}

function describeHeld(core: StrategyCore, held: readonly Position[]): string {
  return held
    .map(({ id, instrument, quantity }) => {
      const { lot } = core.instruments.get(instrument)
      const size = quantityToNumber(netQuantityFromLots(Math.abs(quantity)), lot)
      return `${quantity > 0 ? 'long' : 'short'} ${size} ${instrument} (${id})`
    })
    .join(', ')
}

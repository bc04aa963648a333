import type { Event, StrategyEvent } from '#model/event.ts'
import type { Moment } from '#model/journal-entry.ts'
import type { StrategyStatus } from '#model/strategy.ts'
import { assert, unreachable } from '#values/bug.ts'
import { type IdempotencyKey, type Seq, type StrategyId, strategyNumber } from '#values/ids.ts'
import type { Instant } from '#values/instant.ts'
import { type Money, parseMoney } from '#values/money.ts'
import { ShortMap } from '#values/short-map.ts'
import { storeKey } from './order-register.ts'

/** A strategy as folded from events; only the fold writes to it. */
export interface StrategyRecord {
  readonly id: StrategyId
  name: string
  /** The kind's name, such as `momentum`. */
  readonly type: string
  readonly description: string
  /** Every setting as JSON text with defaults filled in, so that newer defaults change no old strategy. */
  config: string
  /** The loss at which it may only reduce, as decimal text; absent in snapshots of older versions. */
  lossLimit?: string | null
  status: StrategyStatus
  /** Why it failed or was stopped, if known. */
  reason: string | null
  readonly addedAt: Instant
  changedAt: Instant
}

export interface StrategyRegister {
  nextNumber: number
  readonly all: Map<StrategyId, StrategyRecord>
  /** The loss limits of the strategies that have one, parsed from their records. */
  readonly lossLimits: Map<StrategyId, Money>
  /** Deleted strategies, oldest first, for the names of their orders and results. */
  readonly removed: Map<StrategyId, RemovedStrategy>
  /** The strategy that was added with a key. */
  readonly keys: ShortMap<IdempotencyKey, KeyedStrategy>
}

export interface RemovedStrategy {
  readonly id: StrategyId
  readonly name: string
  readonly type: string
  readonly removedAt: Instant
}

export interface KeyedStrategy {
  readonly strategy: StrategyId
  readonly seq: Seq
}

/** Returns a register without strategies. */
export function createStrategyRegister(): StrategyRegister {
  return { nextNumber: 1, all: new Map(), lossLimits: new Map(), removed: new Map(), keys: new ShortMap() }
}

/** Returns the name of a strategy, also of a deleted one; undefined for manual orders. */
export function strategyName(register: StrategyRegister, id: StrategyId): string | undefined {
  return (register.all.get(id) ?? register.removed.get(id))?.name
}

/** Folds the events of strategies. */
export function applyToStrategies(register: StrategyRegister, event: Event, moment: Moment): void {
  if (!isOfStrategy(event)) return
  if (event.type === 'StrategyAdded') {
    add(register, event, moment)
    return
  }
  const record = register.all.get(event.strategy)
  assert(record !== undefined, 'an event for a strategy that is not there', event.strategy)
  record.changedAt = moment.at
  change(register, record, event)
}

type Change = Exclude<StrategyEvent, { type: 'StrategyAdded' }>

function change(register: StrategyRegister, record: StrategyRecord, event: Change): void {
  switch (event.type) {
    case 'StrategyStarted':
      record.status = 'running'
      record.reason = null
      return
    case 'StrategyStopped':
      record.status = 'stopped'
      record.reason = event.why
      return
    case 'StrategyFailed':
      record.status = 'error'
      record.reason = event.reason
      return
    case 'StrategyReconfigured':
      record.config = event.config
      return
    case 'StrategyRenamed':
      record.name = event.name
      return
    case 'StrategyLossLimited':
      record.lossLimit = event.limit
      noteLossLimit(register, record)
      return
    case 'StrategyRemoved':
      register.all.delete(record.id)
      register.lossLimits.delete(record.id)
      register.removed.set(record.id, removedFrom(record))
      return
    default:
      unreachable(event)
  }
}

/** Parses the limit once for all orders that are checked against it. */
export function noteLossLimit(
  { lossLimits }: StrategyRegister,
  { id, lossLimit = null }: StrategyRecord,
): void {
  const limit = lossLimit === null ? null : parseMoney(lossLimit)
  if (limit?.ok) lossLimits.set(id, limit.value)
  else lossLimits.delete(id)
}

function removedFrom({ id, name, type, changedAt: removedAt }: StrategyRecord): RemovedStrategy {
  return { id, name, type, removedAt }
}

function add(
  register: StrategyRegister,
  event: Extract<StrategyEvent, { type: 'StrategyAdded' }>,
  { at, seq }: Moment,
): void {
  const { strategy: id, name, strategyType: type, description, config } = event
  const fresh = { status: 'stopped', reason: null, addedAt: at, changedAt: at } as const
  register.all.set(id, { id, name, type, description, config, ...fresh })
  register.nextNumber = Math.max(register.nextNumber, strategyNumber(id)) + 1
  storeKey(register.keys, event.key, { strategy: id, seq })
}

const PREFIX = 'Strategy'

function isOfStrategy(event: Event): event is StrategyEvent {
  // Every event of a strategy, and no other, is named after it.
  return event.type.startsWith(PREFIX)
}

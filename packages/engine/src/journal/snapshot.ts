import type { Order } from '#model/order.ts'
import { type ClosedPosition, type Position, positionKey } from '#model/position.ts'
import type { HardState } from '#state/hard-state.ts'
import { createHardState } from '#state/hard-state.ts'
import type { StrategyResult } from '#state/position-register.ts'
import { noteLossLimit, type RemovedStrategy, type StrategyRecord } from '#state/strategy-register.ts'
import { addToTotals } from '#state/working-totals.ts'
import { Fault } from '#values/fault.ts'
import type { Seq } from '#values/ids.ts'
import { moneyFromUnits } from '#values/money.ts'

/** Hard state after an entry, as text; a start folds only later entries. */
export interface Snapshot {
  readonly seq: Seq
  readonly text: string
}

/** Version 1 had no strategies and no fill counts; up to version 2 all money was wrapped. */
const SNAPSHOT_VERSION = 3
const READABLE = [1, 2, SNAPSHOT_VERSION]

/** Encodes hard state without the sums that follow from it. */
export function encodeSnapshot(state: HardState): Snapshot {
  const { orders, positions } = state
  const plain = {
    version: SNAPSHOT_VERSION,
    seq: state.seq,
    isOpen: state.isOpen,
    account: state.account,
    nextOrder: orders.nextNumber,
    working: [...orders.working.values()],
    finished: [...orders.finished.values()],
    keys: [...orders.keys],
    nextPosition: positions.nextNumber,
    positions: [...positions.open.values()],
    results: [...positions.results],
    closed: [...positions.closed],
    risk: state.risk,
    components: state.components,
    nextStrategy: state.strategies.nextNumber,
    strategies: [...state.strategies.all.values()],
    removedStrategies: [...state.strategies.removed.values()],
    strategyKeys: [...state.strategies.keys],
    features: state.features,
    services: state.services,
    idleLedger: state.idleLedger,
    wanted: [...state.wanted],
    connected: [...state.connected],
    funded: [...state.funded],
  }
  const parts = Object.entries(plain).map(([name, part]) => `${JSON.stringify(name)}:${encodePart(part)}`)
  return { seq: state.seq, text: `{${parts.join(',')}}` }
}

/** A replacer visits every value and blocks the engine four times as long, so only a part with a bigint has it. */
function encodePart(part: unknown): string {
  try {
    return JSON.stringify(part)
  } catch {
    // JSON reports a bigint by throwing.
    return JSON.stringify(part, writeMoney)
  }
}

/** Decodes hard state, equal in every part to what was encoded. */
export function decodeSnapshot(snapshot: Snapshot): HardState {
  const plain = parse(snapshot)
  const state = createHardState()
  state.seq = snapshot.seq
  state.isOpen = plain.isOpen
  Object.assign(state.account, plain.account)
  Object.assign(state.risk, plain.risk)
  Object.assign(state.components, plain.components)
  // Snapshots of older versions have none of the three.
  Object.assign(state.features, plain.features)
  Object.assign(state.services, plain.services)
  state.idleLedger = plain.idleLedger ?? null
  for (const venue of plain.wanted) state.wanted.add(venue)
  for (const venue of plain.connected) state.connected.add(venue)
  // Older snapshots do not have it.
  for (const [id, settledAt] of plain.funded ?? []) state.funded.set(id, settledAt)
  readOrders(state, plain)
  readPositions(state, plain)
  readStrategies(state, plain)
  return state
}

type Plain = Omit<HardState, 'orders' | 'positions' | 'strategies' | 'wanted' | 'connected' | 'funded'> & {
  version: number
  nextOrder: number
  working: Order[]
  finished: Order[]
  keys: [never, never][]
  nextPosition: number
  positions: Position[]
  results: [never, StrategyResult][]
  closed?: ClosedPosition[]
  nextStrategy?: number
  strategies?: StrategyRecord[]
  removedStrategies?: RemovedStrategy[]
  strategyKeys?: [never, never][]
  wanted: never[]
  connected: never[]
  funded?: [never, never][]
}

function readOrders(state: HardState, plain: Plain): void {
  const { orders } = state
  orders.nextNumber = plain.nextOrder
  for (const given of plain.working) {
    const order = withChanges(given)
    orders.working.set(order.id, order)
    addToTotals(orders.totals, order)
  }
  for (const order of plain.finished) orders.finished.set(order.id, withChanges(order))
  for (const [key, answer] of plain.keys) orders.keys.set(key, answer)
}

/** Older snapshots have no count of changes; a restarted simulated venue has none either. */
function withChanges(order: Order): Order {
  order.changes ??= order.change === null ? 0 : 1
  return order
}

function readPositions(state: HardState, plain: Plain): void {
  const { positions } = state
  positions.nextNumber = plain.nextPosition
  for (const position of plain.positions) {
    // Older snapshots have no exit prices.
    position.exits ??= null
    positions.open.set(positionKey(position.strategy, position.instrument), position)
  }
  for (const [strategy, result] of plain.results)
    positions.results.set(strategy, { ...result, fills: result.fills ?? 0 })
  positions.closed.push(...(plain.closed ?? []))
}

function readStrategies({ strategies }: HardState, plain: Plain): void {
  strategies.nextNumber = plain.nextStrategy ?? 1
  for (const record of plain.strategies ?? []) {
    strategies.all.set(record.id, record)
    noteLossLimit(strategies, record)
  }
  for (const removed of plain.removedStrategies ?? []) strategies.removed.set(removed.id, removed)
  for (const [key, answer] of plain.strategyKeys ?? []) strategies.keys.set(key, answer)
}

// No part of hard state has a key of this name; texts of users are values, never keys.
const MONEY = '$money'

/** An amount beyond a double's exact range is a bigint, which JSON cannot hold. */
function writeMoney(_: string, value: unknown): unknown {
  return typeof value === 'bigint' ? { [MONEY]: value.toString() } : value
}

function readMoney(_: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || !(MONEY in value)) return value
  return moneyFromUnits(BigInt(String(value[MONEY])))
}

function parse({ seq, text }: Snapshot): Plain {
  let isNewer = false
  try {
    const plain: Plain = JSON.parse(text, readMoney)
    if (READABLE.includes(plain.version) && plain.seq === seq) return plain
    isNewer = plain.version > SNAPSHOT_VERSION
  } catch (cause) {
    throw new Fault('snapshot.damaged', `the snapshot of entry ${seq} cannot be read`, cause)
  }
  if (isNewer) {
    throw new Fault(
      'journal.version',
      `The snapshot of entry ${seq} was written by a newer Binnacle. Start that version, or restore a backup of this one.`,
    )
  }
  throw new Fault('snapshot.damaged', `the snapshot of entry ${seq} has a different version or entry number.`)
}

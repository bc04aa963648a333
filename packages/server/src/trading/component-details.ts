import type { ComponentDetail, MeasuredRate, TradingCounts } from '@binnacle/contract'
import {
  COMPONENT_NAMES,
  type ComponentName,
  componentConfig,
  type Desk,
  type OrderView,
  type PositionView,
} from '@binnacle/engine'
import type { AuditStore } from '#storage/admin/audit-store.ts'
import type { StoredRecord } from '#storage/audit/chain.ts'

export interface ComponentDetailsOptions {
  desk: Desk
  /** When the server was started; nothing ran before. */
  startedAt: string
  /** The measured rates; none without monitoring. */
  rates?: (() => Promise<readonly MeasuredRate[]>) | undefined
  /** Without it there is no history. */
  audit?: Pick<AuditStore, 'page'> | undefined
  /** Resolves once the journal's latest entries are in the audit log. */
  waitForAudit?: (() => Promise<unknown>) | undefined
}

interface Measurement {
  /** The rate that counts what passes through the component. */
  series?: string
  about: string
}

/** What is measured of each component. A figure that nothing counts is not shown as another one. */
const THROUGHPUT: Readonly<Record<ComponentName, Measurement>> = {
  DataEngine: { series: 'rate.trades', about: 'Trades received from the venues' },
  ExecutionEngine: { series: 'rate.orders', about: 'Changes of orders' },
  RiskEngine: { about: 'counted with the orders' },
  Portfolio: { series: 'rate.marks', about: 'Batches of new prices applied to positions and figures' },
  Cache: { about: 'reads are not counted' },
  MessageBus: { series: 'rate.frames', about: 'Frames sent to clients of the stream' },
}

const NO_QUEUE = 'no queue'
const MAX_RECORDS = 1_000
const MAX_SHOWN = 20

/** COMP-11: figures of each component, and its history from the audit log, which survives restarts. */
export async function readComponentDetails(options: ComponentDetailsOptions): Promise<ComponentDetail[]> {
  const { desk, startedAt, audit, waitForAudit, rates } = options
  await waitForAudit?.()
  const measured = (await rates?.()) ?? []
  return Promise.all(
    COMPONENT_NAMES.map(async (name) => {
      const records =
        (await audit?.page({ entity: 'component', target: name }, Number.MAX_SAFE_INTEGER, MAX_RECORDS)) ?? []
      return {
        id: name,
        ...throughputOf(name, measured),
        ...queueOf(desk, name),
        running_since: runningSince(desk, name, { startedAt, records }),
        last_error: lastErrorOf(desk, name, records),
        history: historyOf(records).slice(0, MAX_SHOWN),
        versions: versionsOf(name, records),
      }
    }),
  )
}

/** COMP-17: what of trading a stop affects. */
export function countTrading({ views }: Desk): TradingCounts {
  const positions = views.positions()
  const working = views.orders().filter(({ status }) => status === 'PENDING')
  return {
    running_strategies: views.strategies().filter(({ status }) => status === 'running').length,
    working_orders: working.length,
    adding_orders: working.filter((order) => addsExposure(order, positions)).length,
    open_positions: positions.length,
  }
}

function addsExposure(order: OrderView, positions: readonly PositionView[]): boolean {
  if (order.reduceOnly) return false
  const held = positions.find(
    ({ strategy, instrument }) => strategy === order.strategy && instrument === order.instrument,
  )
  const closes = held !== undefined && held.side === (order.side === 'SELL' ? 'LONG' : 'SHORT')
  return !closes || order.quantity - order.filled > held.quantity
}

/** COMP-15: undefined while it does not run. */
function runningSince(
  { views }: Desk,
  name: ComponentName,
  { startedAt, records }: { startedAt: string; records: readonly StoredRecord[] },
): string | undefined {
  const current = views.engine().components.find((component) => component.name === name)
  if (current?.status !== 'running') return undefined
  const started = historyOf(records).find(({ status }) => status === 'running')?.at ?? ''
  return started > startedAt ? started : startedAt
}

function throughputOf(
  name: ComponentName,
  measured: readonly MeasuredRate[],
): Pick<ComponentDetail, 'throughput' | 'throughput_note'> {
  const { series, about } = THROUGHPUT[name]
  if (series === undefined) return { throughput: null, throughput_note: about }
  const rate = measured.find((each) => each.series === series)
  if (rate === undefined) return { throughput: null, throughput_note: 'not measured here' }
  return { throughput: { value: rate.per_second, unit: rate.unit, series, about } }
}

function queueOf({ views }: Desk, name: ComponentName): Pick<ComponentDetail, 'queue' | 'queue_note'> {
  if (name === 'MessageBus') return { queue: null, queue_note: 'not counted' }
  if (name !== 'ExecutionEngine') return { queue: null, queue_note: NO_QUEUE }
  const waiting = views
    .orders()
    .filter(
      ({ status, isCancelRequested, pendingChange }) =>
        status === 'PENDING' && (isCancelRequested || (pendingChange ?? null) !== null),
    )
  return { queue: { length: waiting.length, about: 'Cancels and changes that wait for a venue' } }
}

function historyOf(records: readonly StoredRecord[]): ComponentDetail['history'] {
  return records.flatMap(({ at, actor, after }) => {
    const { status, through = [] } = fieldsOf(after)
    if (typeof status !== 'string') return []
    const earlier = Array.isArray(through) ? through.map(String) : []
    return [status, ...earlier.toReversed()].map((each) => ({ at, status: each, by: actor }))
  })
}

/** The reason is in the component's status; the audit log has when a person ended an earlier error. */
function lastErrorOf(
  { views }: Desk,
  name: ComponentName,
  records: readonly StoredRecord[],
): ComponentDetail['last_error'] {
  const current = views.engine().components.find((component) => component.name === name)
  if (current?.status === 'error') return { text: current.reason ?? 'error' }
  const ended = records.find(({ before }) => fieldsOf(before).status === 'error')
  return ended === undefined ? null : { at: ended.at, text: 'It was in error until then.' }
}

/** Numbered from the oldest on; what was before it is version 0. */
function versionsOf(name: ComponentName, records: readonly StoredRecord[]): ComponentDetail['versions'] {
  const changes = records.filter(({ after }) => 'config' in fieldsOf(after))
  const configOf = (json: string | null) => componentConfig(name, JSON.stringify(fieldsOf(json).config ?? {}))
  const numbered = changes.map(({ at, actor, after }, index) => ({
    version: changes.length - index,
    at,
    by: actor,
    config: configOf(after),
  }))
  return [...numbered.slice(0, MAX_SHOWN), { version: 0, config: configOf(changes.at(-1)?.before ?? null) }]
}

function fieldsOf(json: string | null): Record<string, unknown> {
  return json === null ? {} : JSON.parse(json)
}

import {
  type ClosedPositionView,
  type FillRecord,
  type FinishedStatus,
  type IdempotencyKey,
  type Instant,
  type KeyedOrder,
  type OrderFilter,
  type OrderHistory,
  type OrderHistoryQuery,
  type OrderId,
  type OrderView,
  type RecordPage,
  type RecordQuery,
  type RemovedStrategyView,
  type StrategyId,
  seqFrom,
} from '@binnacle/engine'
import type { HistoryRecord, HistoryStore } from './history-store.ts'
import type { NodeView } from './node-view.ts'
import type { Row } from './protocol.ts'
import { strategyIdOf, viewClosed, viewFills, viewOrder } from './to-views.ts'

/**
 * The orders of a node with numbers in the order of their placing, its closed positions and removed strategies. Those of
 * an earlier process stay as history, in the store too; an order that worked there and that the node no longer has is
 * over.
 */
export class NodeHistory implements OrderHistory {
  readonly #numbers = new Map<string, number>()
  readonly #rows: Row<'orders'>[] = []
  readonly #views = new WeakMap<Row<'orders'>, OrderView>()
  readonly #closedRows: { row: Row<'positions'>; closed: ClosedPositionView }[] = []
  readonly #sides = new Map<string, ClosedPositionView['side']>()
  readonly #removed = new Map<string, RemovedStrategyView>()
  readonly #isPaper: boolean
  /** The numbers of orders that are not finished. */
  readonly #working = new Set<number>()
  /** Finished orders, the latest first; null when it must be sorted again. */
  #finishedOrders: OrderView[] | null = null
  #fills: FillRecord[] | null = null
  readonly #revision: () => number
  readonly #store: HistoryStore | undefined

  constructor(
    view: NodeView,
    { revision, store, earlier }: { revision: () => number; store?: HistoryStore; earlier?: NodeHistory },
  ) {
    this.#revision = revision
    this.#store = store
    this.#isPaper = view.all('engine')[0]?.mode !== 'live'
    if (earlier === undefined) this.#load(store?.records ?? [])
    if (earlier !== undefined) this.#carry(earlier, view)
    const byTime = (one: Row<'orders'>, other: Row<'orders'>) =>
      Number(BigInt(one.ts_init) - BigInt(other.ts_init)) || (one.id < other.id ? -1 : 1)
    for (const row of view.all('orders').sort(byTime)) this.takeOrder(row)
    for (const row of view.all('positions')) this.takePosition(row)
  }

  #load(records: readonly HistoryRecord[]): void {
    for (const record of records) {
      if (record.kind === 'order') this.takeOrder(record.row)
      else if (record.kind === 'closed') this.#addClosed(record.row, record.side)
      else this.removeStrategy(record.row, record.at)
    }
  }

  #carry(earlier: NodeHistory, view: NodeView): void {
    for (const row of earlier.#rows) {
      const isGone = view.find('orders', row.id) === undefined && earlier.#view(row).status === 'PENDING'
      this.takeOrder(isGone ? { ...row, ...LOST } : row)
    }
    // A snapshot of the same process has the closed positions again.
    const known = new Set(view.all('positions').map((row) => `${row.id} ${row.ts_closed}`))
    for (const { row, closed } of earlier.#closedRows) {
      if (!known.has(`${row.id} ${row.ts_closed}`)) this.#addClosed(row, closed.side)
    }
    for (const [id, removed] of earlier.#removed) this.#removed.set(id, removed)
    for (const [id, side] of earlier.#sides) this.#sides.set(id, side)
  }

  takeOrder(row: Row<'orders'>): void {
    const number = this.#numbers.get(row.id) ?? this.#rows.length + 1
    this.#numbers.set(row.id, number)
    this.#rows[number - 1] = row
    this.#fills = null
    this.#sortOrder(this.#view(row))
    this.#store?.add({ kind: 'order', row })
  }

  #sortOrder(order: OrderView): void {
    const { number, status } = order
    if (status === 'PENDING') {
      this.#working.add(number)
      return
    }
    const isNewlyFinished = this.#working.delete(number)
    const latest = this.#finishedOrders?.[0]
    if (isNewlyFinished && latest !== undefined && isLater(order, latest))
      this.#finishedOrders?.unshift(order)
    else this.#finishedOrders = null
  }

  takePosition(row: Row<'positions'>): void {
    if (row.side !== 'FLAT') {
      this.#sides.set(row.id, row.side)
      return
    }
    this.#addClosed(row, this.#sides.get(row.id) ?? 'LONG')
  }

  #addClosed(row: Row<'positions'>, side: ClosedPositionView['side']): void {
    this.#closedRows.push({ row, closed: viewClosed(row, side, this.#closedRows.length + 1) })
    this.#store?.add({ kind: 'closed', row, side })
  }

  removeStrategy(row: Row<'strategies'>, at: Instant): void {
    const { stats } = row
    this.#store?.add({ kind: 'removed', row, at })
    this.#removed.set(row.id, {
      id: strategyIdOf(row.id),
      name: row.name,
      type: row.template,
      removedAt: at,
      pnl: Number(stats.realized) - Number(stats.fees),
      fills: stats.fills,
      trades: stats.closed,
      winRate: stats.closed === 0 ? null : stats.won / stats.closed,
    })
  }

  /** All orders, oldest first. */
  orders(): OrderView[] {
    return this.#rows.map((row) => this.#view(row))
  }

  order(id: OrderId): OrderView | null {
    const row = this.row(id)
    return row === null ? null : this.#view(row)
  }

  row(id: string): Row<'orders'> | null {
    return this.#rows[(this.#numbers.get(id) ?? 0) - 1] ?? null
  }

  workingOrders(): OrderView[] {
    return [...this.#working].flatMap((number) => {
      const row = this.#rows[number - 1]
      return row === undefined ? [] : this.#view(row)
    })
  }

  countWorkingOrders(strategy: StrategyId): number {
    return this.workingOrders().filter((order) => order.strategy === strategy).length
  }

  /** The orders that finished last, the latest first. */
  latestFinished(limit: number): OrderView[] {
    this.#finishedOrders ??= this.orders()
      .filter(({ status }) => status !== 'PENDING')
      .sort((one, other) => (isLater(one, other) ? -1 : 1))
    return this.#finishedOrders.slice(0, limit)
  }

  removedStrategy(id: StrategyId): RemovedStrategyView | undefined {
    return this.#removed.get(id)
  }

  removedStrategies(): RemovedStrategyView[] {
    return [...this.#removed.values()].reverse()
  }

  page({ before, status, limit, ...filter }: OrderHistoryQuery): OrderView[] {
    return this.#finished(filter)
      .filter((order) => order.number < before && (status === undefined || order.status === status))
      .slice(0, limit)
  }

  count(filter: OrderFilter): Record<FinishedStatus, number> {
    const orders = this.#finished(filter)
    const countOf = (status: FinishedStatus) => orders.filter((order) => order.status === status).length
    return { FILLED: countOf('FILLED'), CANCELLED: countOf('CANCELLED'), REJECTED: countOf('REJECTED') }
  }

  find(id: OrderId): OrderView | null {
    const order = this.order(id)
    return order?.status === 'PENDING' ? null : order
  }

  /** The terms in ticks and lots belong to the embedded engine; orders of keys are found in the rows. */
  findKey(_key: IdempotencyKey): KeyedOrder | null {
    return null
  }

  fills({ before, limit, orderId }: RecordQuery & { orderId?: OrderId | undefined }): RecordPage<FillRecord> {
    this.#fills ??= this.#rows
      .flatMap(viewFills)
      .sort((one, other) => one.at - other.at)
      .map((fill, index) => ({ ...fill, seq: seqFrom(index + 1) }))
    const rows = this.#fills.filter((fill) => orderId === undefined || fill.orderId === orderId)
    return pageOf(rows, before, limit)
  }

  closedPositions({ before, limit }: RecordQuery): RecordPage<ClosedPositionView> {
    return pageOf(
      this.#closedRows.map(({ closed }) => closed),
      before,
      limit,
    )
  }

  position(): { seq: number } {
    return { seq: this.#revision() }
  }

  /** Newest first. */
  #finished({ instrument, strategy, from, to }: OrderFilter): OrderView[] {
    return this.orders()
      .reverse()
      .filter(
        (order) =>
          order.status !== 'PENDING' &&
          (instrument === undefined || order.instrument === instrument) &&
          (strategy === undefined || order.strategy === strategy) &&
          (from === undefined || order.createdAt >= from) &&
          (to === undefined || order.createdAt < to),
      )
  }

  #view(row: Row<'orders'>): OrderView {
    const known = this.#views.get(row)
    if (known !== undefined) return known
    const view = viewOrder(row, this.#numbers.get(row.id) ?? 0, this.#isPaper)
    this.#views.set(row, view)
    return view
  }
}

function isLater(one: OrderView, other: OrderView): boolean {
  return one.updatedAt === other.updatedAt ? one.number > other.number : one.updatedAt > other.updatedAt
}

/** What became of an order that the node no longer has. */
const LOST = {
  status: 'CANCELED',
  open: false,
  closed: true,
  reason: { code: 'cancel', message: 'The node was started again without this order' },
} as const

/** Rows are numbered from 1, oldest first; a page is newest first. */
function pageOf<Row extends { readonly seq: number }>(
  rows: readonly Row[],
  before: number | undefined,
  limit: number,
): RecordPage<Row> {
  const page = rows
    .filter((row) => before === undefined || row.seq < before)
    .slice(-limit)
    .reverse()
  return { rows: page, last: page.at(-1)?.seq }
}

import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import {
  backtestLoss,
  type Desk,
  estimateLoss,
  instantFromMs,
  LOSS_METHODS,
  type LossBacktest,
  type LossMethod,
  type OrderHistory,
} from '@binnacle/engine'
import {
  type ClosedPage,
  type ClosedQuery,
  openTradeHistory,
  type TimeRange,
  type TradeHistory,
} from '#storage/orders/trade-history.ts'
import { type SummaryQuery, summariseTrades, type TradeSummary } from './trade-summary.ts'
import { sumTradingDay, type TradingDay } from './trading-day.ts'

/** What takes too long for the API thread: reads of the order history, and the simulations of the value at risk. */
export interface PerformanceReader {
  summarise(query: SummaryQuery): Promise<TradeSummary>
  page(query: ClosedQuery): Promise<ClosedPage>
  losses(query: LossQuery): Promise<readonly LossResult[]>
  day(range: TimeRange): Promise<TradingDay>
  close(): Promise<void>
}

export interface LossQuery {
  /** Daily returns, oldest first. */
  readonly returns: readonly number[]
  readonly seed: number
}

export interface LossResult extends LossBacktest {
  readonly method: LossMethod
  /** Fractions of the equity; null with too few days. */
  readonly valueAtRisk: number | null
  readonly expectedShortfall: number | null
}

/** Reads in the calling thread. The file is opened per read, since a starting engine may replace it. */
export function openFileReader(ordersFile: string): PerformanceReader {
  return createReader((use) => {
    const history = openTradeHistory(ordersFile)
    try {
      return use(history)
    } finally {
      history.close()
    }
  })
}

/** Reads what an engine of another kind has in memory. */
export function openHistoryReader(desk: Pick<Desk, 'orderHistory'>): PerformanceReader {
  return createReader((use) => use(tradesOf(desk.orderHistory)))
}

type Use<Result> = (history: TradeHistory) => Result

function createReader(read: <Result>(use: Use<Result>) => Result): PerformanceReader {
  return {
    summarise: async (query) => read((history) => summariseTrades(history, query)),
    page: async (query) => read((history) => history.closedPage(query)),
    day: async (range) => read((history) => sumTradingDay(history, range)),
    losses: async ({ returns, seed }) =>
      LOSS_METHODS.map((method) => {
        const { valueAtRisk = null, expectedShortfall = null } = estimateLoss(method, returns, seed) ?? {}
        return { method, valueAtRisk, expectedShortfall, ...backtestLoss(method, returns, seed) }
      }),
    close: async () => {},
  }
}

/** The trades of an engine that records no decision prices and pays no funding. */
function tradesOf(past: OrderHistory): TradeHistory {
  const all = { limit: Number.MAX_SAFE_INTEGER }
  const closedIn = ({ from, to }: TimeRange) =>
    past.closedPositions(all).rows.filter(({ closedAt }) => closedAt >= from && closedAt < to)
  return {
    fills: ({ from, to }) =>
      past
        .fills(all)
        .rows.filter(({ at }) => at >= from && at < to)
        .map((fill) => ({ ...fill, mid: null }))
        .reverse(),
    closed: (range) => closedIn(range).reverse(),
    funding: () => [],
    countOrders: ({ from, to }) => past.count({ from: instantFromMs(from), to: instantFromMs(to) }),
    closedPage({ strategy, instrument, before = Number.POSITIVE_INFINITY, limit, ...range }) {
      const found = closedIn(range).filter(
        (row) =>
          row.seq < before &&
          (strategy === undefined || row.strategy === strategy) &&
          (instrument === undefined || row.instrument === instrument),
      )
      const rows = found.slice(0, limit)
      return { rows, next: found.length > limit ? rows.at(-1)?.seq : undefined }
    },
    close: () => {},
  }
}

type Kind = 'summarise' | 'page' | 'losses' | 'day'
/** The queries and results of a kind are those of the method of that name. */
export interface ReaderRequest {
  readonly id: number
  readonly kind: Kind
  readonly query: unknown
}
export type ReaderAnswer =
  | { readonly id: number; readonly result: unknown }
  | { readonly id: number; readonly message: string }

/** Reads in a thread of its own, started on first use. */
export function openPerformanceReader(ordersFile: string): PerformanceReader {
  const pending = new Map<number, PromiseWithResolvers<unknown>>()
  let worker: Worker | undefined
  let lastId = 0

  function started(): Worker {
    if (worker !== undefined) return worker
    const created = new Worker(new URL('./performance-reader.worker.ts', import.meta.url), {
      workerData: ordersFile,
      name: 'performance',
    })
    created.unref()
    created.on('message', (answer: ReaderAnswer) => {
      const request = pending.get(answer.id)
      pending.delete(answer.id)
      if ('message' in answer) request?.reject(new Error(answer.message))
      else request?.resolve(answer.result)
    })
    // The exit follows and rejects what is pending; the next read starts a new thread.
    created.on('error', () => {})
    created.on('exit', () => {
      if (worker === created) worker = undefined
      for (const { reject } of pending.values())
        reject(new Error('The thread of Performance Analytics has ended.'))
      pending.clear()
    })
    worker = created
    return created
  }

  async function send<Result>(kind: Kind, query: unknown): Promise<Result> {
    lastId += 1
    const request = Promise.withResolvers<unknown>()
    pending.set(lastId, request)
    started().postMessage({ id: lastId, kind, query } satisfies ReaderRequest)
    // The thread answers with the result of the method of the same name.
    return (await request.promise) as Result
  }

  return {
    summarise: (query) => send<TradeSummary>('summarise', query),
    page: (query) => send<ClosedPage>('page', query),
    losses: (query) => send<readonly LossResult[]>('losses', query),
    day: (range) => send<TradingDay>('day', range),
    async close() {
      if (worker === undefined) return
      const exited = once(worker, 'exit')
      await worker.terminate()
      await exited
    },
  }
}

import { type ClosedPosition, type PerformancePeriod, performance, type RequestOf } from '@binnacle/contract'
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { call } from './client.ts'
import { logOnly } from './failure.ts'

const POLL_MS = 15_000
const PAGE_TRADES = 100
/** The most that a call returns, and the most that an export loads. */
const EXPORT_PAGE = 1_000
const MAX_EXPORTED = 20_000
const all = ['performance'] as const

export type ReportRequest = NonNullable<RequestOf<typeof performance.report>['query']> & {
  period: PerformancePeriod
}
export type TradesRequest = Pick<ReportRequest, 'period' | 'strategy'>

export const performanceQueries = {
  report: (query: ReportRequest) =>
    queryOptions({
      queryKey: [...all, 'report', query],
      queryFn: ({ signal }) => call(performance.report, { query }, { signal }),
      refetchInterval: POLL_MS,
      placeholderData: (last) => last,
      meta: { onFailure: logOnly, isPolled: true },
    }),
  risk: (period: PerformancePeriod) =>
    queryOptions({
      queryKey: [...all, 'risk', period],
      queryFn: ({ signal }) => call(performance.risk, { query: { period } }, { signal }),
      refetchInterval: POLL_MS,
      placeholderData: (last) => last,
      meta: { onFailure: logOnly, isPolled: true },
    }),
  /** Latest first; each further page is older. */
  trades: (query: TradesRequest) =>
    infiniteQueryOptions({
      queryKey: [...all, 'trades', query],
      queryFn: ({ pageParam, signal }) =>
        call(
          performance.trades,
          { query: { ...query, limit: PAGE_TRADES, ...(pageParam > 0 && { cursor: pageParam }) } },
          { signal },
        ),
      initialPageParam: 0,
      getNextPageParam: ({ next_cursor: next }) => next,
      refetchInterval: POLL_MS,
      meta: { onFailure: logOnly, isPolled: true },
    }),
}

/** Every trade of a period for an export, latest first; the latest 20,000 of more. */
export async function loadTrades(query: TradesRequest): Promise<readonly ClosedPosition[]> {
  const trades: ClosedPosition[] = []
  let cursor: number | undefined
  do {
    const page = await call(performance.trades, {
      query: { ...query, limit: EXPORT_PAGE, ...(cursor !== undefined && { cursor }) },
    })
    trades.push(...page.trades)
    cursor = page.next_cursor
  } while (cursor !== undefined && trades.length < MAX_EXPORTED)
  return trades
}

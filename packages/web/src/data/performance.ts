import { type ClosedPosition, type PerformancePeriod, performance, type RequestOf } from '@binnacle/contract'
import {
  type InfiniteData,
  infiniteQueryOptions,
  queryOptions,
  useInfiniteQuery,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query'
import { call, type FinalReply } from './client.ts'
import { type Command, type CommandOptions, useCommand } from './command.ts'
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
  /** Latest first; each further page is older. `useTrades` adds the new ones. */
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
      meta: { onFailure: logOnly },
    }),
}

type TradesPage = FinalReply<typeof performance.trades>

/** PERF-400: only the latest page is polled; its new trades are put before the loaded ones. */
export function useTrades(query: TradesRequest) {
  const client = useQueryClient()
  const options = performanceQueries.trades(query)
  const trades = useInfiniteQuery(options)
  useQuery({
    queryKey: [...all, 'latest-trades', query],
    queryFn: async ({ signal }) => {
      const latest = await call(performance.trades, { query: { ...query, limit: PAGE_TRADES } }, { signal })
      client.setQueryData(options.queryKey, (loaded) => loaded && withLatest(loaded, latest))
      return latest
    },
    enabled: trades.isSuccess,
    initialData: trades.data?.pages[0],
    initialDataUpdatedAt: trades.dataUpdatedAt,
    staleTime: POLL_MS,
    refetchInterval: POLL_MS,
    meta: { onFailure: logOnly, isPolled: true },
  })
  return trades
}

/** Begins again with the latest page if no page is older, or if none of its trades is loaded. */
function withLatest(loaded: InfiniteData<TradesPage>, latest: TradesPage): InfiniteData<TradesPage> {
  const [first, ...older] = loaded.pages
  const known = new Set(loaded.pages.flatMap(({ trades }) => trades.map(tradeKey)))
  const added = latest.trades.filter((trade) => !known.has(tradeKey(trade)))
  if (first === undefined || latest.next_cursor === undefined || added.length === latest.trades.length)
    return { pages: [latest], pageParams: [0] }
  if (added.length === 0) return loaded
  return { ...loaded, pages: [{ ...first, trades: [...added, ...first.trades] }, ...older] }
}

function tradeKey({ id, journal_seq: seq }: ClosedPosition): string {
  return `${id} ${seq}`
}

export interface TradesExport {
  query: TradesRequest
  /** One export of each format at a time. */
  format: string
}

/** Loads every trade of a period, latest first; the latest 20,000 of more. */
export function useLoadTrades(
  options: CommandOptions<TradesExport, readonly ClosedPosition[]>,
): Command<TradesExport> {
  return useCommand(
    {
      key: LOAD_TRADES,
      subject: ({ format }: TradesExport) => format,
      send: ({ query }) => loadTrades(query),
    },
    options,
  )
}

const LOAD_TRADES = ['performance', 'export']

async function loadTrades(query: TradesRequest): Promise<readonly ClosedPosition[]> {
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

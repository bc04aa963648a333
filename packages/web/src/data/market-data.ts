import {
  type ChartInterval,
  engine,
  type HistoryProgress,
  type MarketBar,
  type MarketBook,
  type MarketQuote,
  type MarketTrade,
  marketData,
  type Quote,
} from '@binnacle/contract'
import { infiniteQueryOptions, keepPreviousData, queryOptions, skipToken } from '@tanstack/react-query'
import { call } from './client.ts'
import { logOnly } from './failure.ts'

/** Without the stream. */
const POLL_MS = 2_000
/** The last 24 hours move slowly; prices come by the stream. */
const DAY_POLL_MS = 15_000
const PAGE_BARS = 1_000
/** Polled without the stream, so that short losses leave no gap. */
const LATEST_BARS = 120

export type LiveBar = MarketBar

/** Which bars a chart shows. */
export interface BarSource {
  instrument: string
  interval: ChartInterval
  /** Imported bars in place of the market. */
  dataSet: string | undefined
  /** The bars before this time; undefined: the latest ones, which the stream continues. */
  until?: string | undefined
}

const all = ['market'] as const

export const marketQueries = {
  history: [...all, 'bars'] as const,
  quotes: (isStreamed: boolean) =>
    queryOptions({
      queryKey: [...all, 'quotes'],
      queryFn: async ({ signal }): Promise<readonly MarketQuote[]> =>
        (await call(marketData.quotes, {}, { signal })).quotes,
      refetchInterval: isStreamed ? DAY_POLL_MS : POLL_MS,
      meta: { onFailure: logOnly, isPolled: true },
    }),
  book: (instrument: string, isStreamed: boolean) =>
    queryOptions({
      queryKey: [...all, 'book', instrument],
      queryFn: ({ signal }): Promise<MarketBook> =>
        call(marketData.book, { query: { instrument } }, { signal }),
      refetchInterval: ({ state }) => (isStreamed && state.data !== undefined ? false : POLL_MS),
      meta: { onFailure: logOnly, isPolled: true },
    }),
  trades: (instrument: string, isStreamed: boolean) =>
    queryOptions({
      queryKey: [...all, 'trades', instrument],
      queryFn: async ({ signal }): Promise<readonly MarketTrade[]> =>
        (await call(marketData.trades, { query: { instrument } }, { signal })).trades,
      refetchInterval: ({ state }) => (isStreamed && state.data !== undefined ? false : POLL_MS),
      meta: { onFailure: logOnly, isPolled: true },
    }),
  /** Pages of bars, the latest first; each further page is older. */
  bars: ({ instrument, interval, dataSet, until = '' }: BarSource) =>
    infiniteQueryOptions({
      queryKey: [...marketQueries.history, instrument, interval, dataSet, until],
      queryFn: ({ pageParam, signal }) =>
        call(
          marketData.bars,
          {
            query: {
              instrument,
              interval,
              limit: PAGE_BARS,
              ...(pageParam !== '' && { before: pageParam }),
              ...(dataSet !== undefined && { data_set: dataSet }),
            },
          },
          { signal },
        ),
      initialPageParam: until,
      getNextPageParam: ({ bars, more }) => (more ? bars[0]?.at : undefined),
      staleTime: Number.POSITIVE_INFINITY,
      meta: { onFailure: logOnly },
    }),
  /** MKT-111: of the simulated market, after the first start; null for a market that has none. */
  historyProgress: () =>
    queryOptions({
      queryKey: [...all, 'history-progress'],
      queryFn: async ({ client, queryKey, signal }): Promise<HistoryProgress | null> => {
        const { history } = await call(engine.systemInfo, {}, { signal })
        const isFirstComplete =
          history?.done && client.getQueryData<HistoryProgress>(queryKey)?.done === false
        if (isFirstComplete) await client.invalidateQueries({ queryKey: marketQueries.history })
        return history ?? null
      },
      refetchInterval: ({ state }) => state.data?.done === false && POLL_MS,
      meta: { onFailure: logOnly, isPolled: true },
    }),
  /** Bars around a moment of the past, which no longer change. */
  window: ({ instrument, interval, dataSet }: BarSource, before: string, limit: number) =>
    queryOptions({
      queryKey: [...all, 'window', instrument, interval, dataSet, before, limit],
      queryFn: async ({ signal }) => {
        const query = {
          instrument,
          interval,
          before,
          limit,
          ...(dataSet !== undefined && { data_set: dataSet }),
        }
        return (await call(marketData.bars, { query }, { signal })).bars
      },
      staleTime: Number.POSITIVE_INFINITY,
      placeholderData: keepPreviousData,
      meta: { onFailure: logOnly },
    }),
  /** The latest bars while there is no stream. */
  latestBars: ({ instrument, interval }: BarSource) =>
    queryOptions({
      queryKey: [...all, 'latest-bars', instrument, interval],
      queryFn: async ({ signal }) =>
        (await call(marketData.bars, { query: { instrument, interval, limit: LATEST_BARS } }, { signal }))
          .bars,
      refetchInterval: POLL_MS,
      meta: { onFailure: logOnly, isPolled: true },
    }),
  /** True once the stream has sent market data. */
  isStreamed: () => streamed<boolean>('sent'),
  liveQuotes: () => streamed<ReadonlyMap<string, Quote>>('quotes'),
  liveBook: (instrument: string) => streamed<MarketBook>('book', instrument),
  /** Latest first. */
  liveTrades: (instrument: string) => streamed<readonly MarketTrade[]>('trades', instrument),
  /** Oldest first. */
  liveBars: (instrument: string, interval: string) =>
    streamed<readonly LiveBar[]>('bars', instrument, interval),
}

/** Written by the stream alone. */
function streamed<Data>(...name: readonly string[]) {
  return queryOptions<Data>({
    queryKey: [...all, 'streamed', ...name],
    queryFn: skipToken,
    staleTime: Number.POSITIVE_INFINITY,
  })
}

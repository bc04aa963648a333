import type { MarketBook, MarketQuote, MarketTrade, Quote } from '@binnacle/contract'
import { TAPE_MAX } from '@binnacle/contract'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { type BarSource, type LiveBar, marketQueries } from './market-data.ts'
import { streamQueries } from './stream/stream-queries.ts'

/** True while market data comes by the stream; a server may have a stream without it. */
function useIsStreamed(): boolean {
  const { data: state } = useQuery(streamQueries.state())
  const { data: isSent = false } = useQuery(marketQueries.isStreamed())
  return state?.kind === 'live' && isSent
}

export interface MarketLoad<Figures> {
  figures: Figures | undefined
  /** There are no figures, and the last attempt to load them failed. */
  isFailed: boolean
}

/** Every instrument's quote, as loaded and as the stream brought it since. */
export function useMarketQuotes(): MarketLoad<readonly MarketQuote[]> {
  const { data: polled, isError } = useQuery(marketQueries.quotes(useIsStreamed()))
  const { data: live } = useQuery(marketQueries.liveQuotes())
  const quotes = useMemo(
    () => polled?.map((quote) => joinQuote(quote, live?.get(quote.instrument))),
    [polled, live],
  )
  return { figures: quotes, isFailed: isError && quotes === undefined }
}

export function useMarketQuote(instrument: string | undefined): MarketQuote | undefined {
  const isStreamed = useIsStreamed()
  const { data: polled } = useQuery({
    ...marketQueries.quotes(isStreamed),
    select: (quotes) => quotes.find((quote) => quote.instrument === instrument),
  })
  const { data: live } = useQuery({
    ...marketQueries.liveQuotes(),
    select: (quotes) => (instrument === undefined ? undefined : quotes.get(instrument)),
  })
  return polled && joinQuote(polled, live)
}

export function useBook(instrument: string): MarketLoad<MarketBook> {
  const { data: polled, isError } = useQuery(marketQueries.book(instrument, useIsStreamed()))
  const { data: live } = useQuery(marketQueries.liveBook(instrument))
  const book = live !== undefined && (polled === undefined || isLater(live, polled)) ? live : polled
  return { figures: book, isFailed: isError && book === undefined }
}

export type BestPrices = Pick<MarketQuote, 'bid' | 'ask' | 'at'>

/** MKT-550: the top of the book that Depth shows; the quote while the book is not loaded or has an empty side. */
export function useBestPrices(instrument: string): BestPrices | undefined {
  const { figures: book } = useBook(instrument)
  const quote = useMarketQuote(instrument)
  const [bid, ask] = [book?.bids[0], book?.asks[0]]
  return book && bid && ask ? { bid: bid.price, ask: ask.price, at: book.at } : quote
}

/** Latest first. */
export function useTrades(instrument: string): MarketLoad<readonly MarketTrade[]> {
  const { data: polled, isError } = useQuery(marketQueries.trades(instrument, useIsStreamed()))
  const { data: live } = useQuery(marketQueries.liveTrades(instrument))
  const trades = useMemo(() => polled && joinTrades(polled, live ?? []), [polled, live])
  return { figures: trades, isFailed: isError && trades === undefined }
}

export interface BarHistory {
  /** Oldest first. */
  loaded: readonly LoadedBar[] | undefined
  /** Bars since, which replace those of the same start. */
  live: readonly LoadedBar[]
  error: unknown
  /** Loads older bars, unless all are loaded or a load is pending. */
  loadOlder: () => void
}

export type LoadedBar = Omit<LiveBar, 'instrument' | 'interval'>

export function useBars(source: BarSource): BarHistory {
  const isMarket = source.dataSet === undefined && source.until === undefined
  const isStreamed = useIsStreamed()
  const query = useInfiniteQuery(marketQueries.bars(source))
  const { data: streamed = NO_BARS } = useQuery(marketQueries.liveBars(source.instrument, source.interval))
  const { data: latest = NO_BARS } = useQuery({
    ...marketQueries.latestBars(source),
    enabled: isMarket && !isStreamed,
  })
  const loaded = useMemo(() => query.data?.pages.toReversed().flatMap(({ bars }) => bars), [query.data])
  return {
    loaded,
    live: !isMarket ? NO_BARS : isStreamed ? streamed : latest,
    error: query.error,
    loadOlder: () => {
      if (query.hasNextPage && !query.isFetching) void query.fetchNextPage()
    },
  }
}

const NO_BARS: readonly LiveBar[] = []

/** Joined once per pair, so that an unchanged row is the same object. */
const joined = new WeakMap<MarketQuote, { live: Quote; quote: MarketQuote }>()

/** The later of both; figures of the last 24 hours follow the price. */
export function joinQuote(polled: MarketQuote, live: Quote | undefined): MarketQuote {
  if (live === undefined || !isLater(live, polled)) return polled
  const known = joined.get(polled)
  if (known?.live === live) return known.quote
  const last = live.last ?? polled.last
  const quote: MarketQuote = {
    ...polled,
    bid: live.bid,
    ask: live.ask,
    at: live.at,
    last,
    ...(last !== null && dayOf(polled, last)),
  }
  joined.set(polled, { live, quote })
  return quote
}

function dayOf({ open_24h: open, high_24h: high, low_24h: low, spark }: MarketQuote, last: number) {
  return {
    high_24h: high === null ? null : Math.max(high, last),
    low_24h: low === null ? null : Math.min(low, last),
    change_percent: open === null || open === 0 ? null : ((last - open) * 100) / open,
    spark: [...spark.slice(0, -1), last],
  }
}

/** Each trade once. */
export function joinTrades(
  polled: readonly MarketTrade[],
  live: readonly MarketTrade[],
): readonly MarketTrade[] {
  const known = new Set(live.map(({ id }) => id))
  const rest = polled.filter(({ id }) => !known.has(id))
  return [...live, ...rest].sort((a, b) => Date.parse(b.at) - Date.parse(a.at)).slice(0, TAPE_MAX)
}

function isLater(live: { at: string }, polled: { at: string }): boolean {
  return Date.parse(live.at) >= Date.parse(polled.at)
}

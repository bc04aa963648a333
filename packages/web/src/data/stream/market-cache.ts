import {
  CHART_INTERVALS,
  type MarketTrade,
  parseChange,
  parseSnapshot,
  type Quote,
  type ServerFrame,
  type StreamTopic,
  TAPE_MAX,
} from '@binnacle/contract'
import { hashKey, type QueryClient, type QueryKey } from '@tanstack/react-query'
import { type LiveBar, marketQueries } from '#data/market-data.ts'
import { scheduleMarketWrite } from './write-schedulers.ts'

/** Live bars per chart; beyond that the oldest ones move to the history, many at once since that changes the whole list. */
const MAX_LIVE_BARS = 2_000
const MOVED_BARS = 500
const TOPICS: readonly StreamTopic[] = ['quotes', 'trades', 'bars', 'book']

/**
 * Writes the market data of the stream to queries of their own. Screens join them with what was loaded by the time of
 * each figure, so that an answer that was late cannot replace a newer frame.
 */
export class MarketCache {
  readonly #client: QueryClient
  readonly #schedule: (write: () => void) => void
  readonly #quotes = new Map<string, Quote>()
  readonly #trades = new Map<string, MarketTrade[]>()
  readonly #bars = new Map<string, LiveBar[]>()
  /** One for each query, since only its latest value is shown. */
  readonly #unwritten = new Map<string, Write>()

  /** `schedule` delays a write, so that many frames become one painting. */
  constructor(client: QueryClient, schedule: (write: () => void) => void = scheduleMarketWrite) {
    this.#client = client
    this.#schedule = schedule
  }

  apply(frame: ServerFrame): void {
    if ((frame.type !== 'snapshot' && frame.type !== 'change') || !TOPICS.includes(frame.topic)) return
    const isSnapshot = frame.type === 'snapshot'
    if (frame.topic === 'book') this.#write(marketQueries.isStreamed().queryKey, () => true)
    const parse = isSnapshot ? parseSnapshot : parseChange
    if (frame.topic === 'quotes') {
      for (const quote of parse('quotes', frame.data)?.quotes ?? []) this.#quotes.set(quote.instrument, quote)
      this.#write(marketQueries.liveQuotes().queryKey, () => new Map(this.#quotes))
    } else if (frame.topic === 'book') {
      for (const book of parse('book', frame.data)?.books ?? [])
        this.#write(marketQueries.liveBook(book.instrument).queryKey, () => book)
    } else if (frame.topic === 'trades') {
      this.#mergeTrades(parse('trades', frame.data)?.trades ?? [], isSnapshot)
    } else if (frame.topic === 'bars') {
      this.#mergeBars(parse('bars', frame.data)?.bars ?? [], isSnapshot)
    }
  }

  #mergeTrades(trades: readonly MarketTrade[], isSnapshot: boolean): void {
    const byInstrument = Map.groupBy(trades, ({ instrument }) => instrument)
    for (const [instrument, added] of byInstrument) {
      const known = isSnapshot ? [] : (this.#trades.get(instrument) ?? [])
      const latest = [...added.reverse(), ...known].slice(0, TAPE_MAX)
      this.#trades.set(instrument, latest)
      this.#write(marketQueries.liveTrades(instrument).queryKey, () => latest)
    }
  }

  #mergeBars(bars: readonly LiveBar[], isSnapshot: boolean): void {
    const byChart = Map.groupBy(bars, ({ instrument, interval }) => `${instrument} ${interval}`)
    for (const [chart, added] of byChart) {
      const [first] = added
      if (first === undefined) continue
      const known = this.#bars.get(chart) ?? []
      const merged = mergeBars(known, added)
      const { instrument, interval } = first
      const moved = merged.length > MAX_LIVE_BARS ? merged.length - MAX_LIVE_BARS + MOVED_BARS : 0
      const next = merged.slice(moved)
      this.#bars.set(chart, next)
      if (moved > 0) this.#moveToHistory(first, merged.slice(0, moved))
      this.#write(marketQueries.liveBars(instrument, interval).queryKey, () => next)
      // Bars that ended while the stream was away are in the history.
      const chartKey = [...marketQueries.history, instrument, interval]
      if (isSnapshot && known.length > 0) void this.#client.invalidateQueries({ queryKey: chartKey })
    }
  }

  /** MKT-305: to the latest page, which is loaded once. What loads it later has the latest bars anyway. */
  #moveToHistory(chart: LiveBar, bars: readonly LiveBar[]): void {
    const { instrument } = chart
    const interval = CHART_INTERVALS.find((name) => name === chart.interval)
    if (interval === undefined) return
    const { queryKey } = marketQueries.bars({ instrument, interval, dataSet: undefined })
    const isInvalidated = this.#client.getQueryState(queryKey)?.isInvalidated
    this.#client.setQueryData(queryKey, (history) => {
      const [latest, ...older] = history?.pages ?? []
      if (history === undefined || latest === undefined) return history
      return { ...history, pages: [{ ...latest, bars: mergeBars(latest.bars, bars) }, ...older] }
    })
    // A write also ends that.
    if (isInvalidated) void this.#client.invalidateQueries({ queryKey, refetchType: 'none' })
  }

  #write(key: QueryKey, read: Write['read']): void {
    if (this.#unwritten.size === 0)
      this.#schedule(() => {
        const due = [...this.#unwritten.values()]
        this.#unwritten.clear()
        for (const { key, read } of due) this.#client.setQueryData(key, read())
      })
    this.#unwritten.set(hashKey(key), { key, read })
  }
}

interface Write {
  key: QueryKey
  read: () => unknown
}

interface Started {
  at: string
}

/** The same start replaces a bar; others are added by time. */
function mergeBars<Bar extends Started>(known: readonly Bar[], added: readonly Bar[]): Bar[] {
  const merged = [...known]
  for (const bar of added) {
    const last = merged.at(-1)
    if (last === undefined || Date.parse(last.at) < Date.parse(bar.at)) merged.push(bar)
    else if (last.at === bar.at) merged[merged.length - 1] = bar
    else return sortBars([...known, ...added])
  }
  return merged
}

/** Only for a bar before the latest one, as after a reconnect. */
function sortBars<Bar extends Started>(bars: readonly Bar[]): Bar[] {
  const byStart = new Map(bars.map((bar) => [bar.at, bar]))
  return [...byStart.values()].sort((a, b) => Date.parse(a.at) - Date.parse(b.at))
}

import {
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
import { paintMarket } from './paint-soon.ts'

/** Live bars that are kept per chart; older ones are in the history. */
const MAX_LIVE_BARS = 2_000
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
  constructor(client: QueryClient, schedule: (write: () => void) => void = paintMarket) {
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
      this.#takeTrades(parse('trades', frame.data)?.trades ?? [], isSnapshot)
    } else if (frame.topic === 'bars') {
      this.#takeBars(parse('bars', frame.data)?.bars ?? [], isSnapshot)
    }
  }

  #takeTrades(trades: readonly MarketTrade[], isSnapshot: boolean): void {
    const byInstrument = Map.groupBy(trades, ({ instrument }) => instrument)
    for (const [instrument, added] of byInstrument) {
      const known = isSnapshot ? [] : (this.#trades.get(instrument) ?? [])
      const latest = [...added.reverse(), ...known].slice(0, TAPE_MAX)
      this.#trades.set(instrument, latest)
      this.#write(marketQueries.liveTrades(instrument).queryKey, () => latest)
    }
  }

  #takeBars(bars: readonly LiveBar[], isSnapshot: boolean): void {
    const byChart = Map.groupBy(bars, ({ instrument, interval }) => `${instrument} ${interval}`)
    for (const [chart, added] of byChart) {
      const [first] = added
      if (first === undefined) continue
      const known = this.#bars.get(chart) ?? []
      const next = mergeBars(known, added).slice(-MAX_LIVE_BARS)
      this.#bars.set(chart, next)
      const { instrument, interval } = first
      this.#write(marketQueries.liveBars(instrument, interval).queryKey, () => next)
      // Bars that ended while the stream was away are in the history.
      const chartKey = [...marketQueries.history, instrument, interval]
      if (isSnapshot && known.length > 0) void this.#client.invalidateQueries({ queryKey: chartKey })
    }
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

/** The same start replaces a bar; others are added by time. */
function mergeBars(known: readonly LiveBar[], added: readonly LiveBar[]): LiveBar[] {
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
function sortBars(bars: readonly LiveBar[]): LiveBar[] {
  const byStart = new Map(bars.map((bar) => [bar.at, bar]))
  return [...byStart.values()].sort((a, b) => Date.parse(a.at) - Date.parse(b.at))
}

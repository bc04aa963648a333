import {
  ClientFrame,
  type LogLine,
  type ServerFrame,
  STREAM_ERRORS,
  STREAM_LOG_LINES_MAX,
  STREAM_MARKET_TOPICS,
  type StreamTopic,
} from '@binnacle/contract'
import type { InstrumentId, QuoteView } from '@binnacle/engine'
import { describeIssue } from '#http/describe-issue.ts'
import type { LogTail } from '#http/log-tail.ts'
import { textFrame } from '#http/websocket.ts'
import { parseJson } from '#storage/parse-json.ts'
import type { BarKey, TrackedBar } from '#trading/market/bar-tracks.ts'
import type { TapeTrade } from '#trading/market/live-market.ts'
import { ChangeBatch } from './change-batch.ts'
import type { MarketSource } from './market-source.ts'
import { ClientMarket, isMarketTopic, type MarketSelection, type MarketTopic } from './market-topics.ts'
import type { PublishedChange } from './replay-buffer.ts'
import { isDeskTopic, type OfferedTopic, quotesText } from './stream-rows.ts'

/** What a client's session needs of the hub. */
export interface StreamSource {
  readonly epoch: string
  readonly seq: number
  readonly oldestSeq: number
  readonly pauseReason: string | null
  /** The changes after a seq; undefined if some of them are gone. */
  changesAfter(seq: number): readonly PublishedChange[] | undefined
  /** The same, shared by all clients that were sent everything up to this seq. */
  batchAfter(seq: number): ChangeBatch | undefined
  /** The state of a topic, as JSON text. */
  snapshotText(topic: OfferedTopic): string
  quotes(): readonly QuoteView[]
  /** A change that shows these quotes; clients with the same array share it. */
  quotesFrame(quotes: readonly QuoteView[]): Buffer
  heartbeat(): ServerFrame
  /** Without it the topics of market data are not offered. */
  readonly market: MarketSource | undefined
  readonly hasAlerts: boolean
  /** Without it log lines are not offered. */
  readonly logs: LogTail | undefined
  /** Called when a client has changed its subscription to market data. */
  onSubscriptionChange(): void
}

/** The connection of a client, as its session uses it. */
export interface StreamConnection {
  readonly bufferedBytes: number
  /** Sends so many frames that are encoded already. */
  send(frames: Buffer, count?: number): void
  ping(): void
  close(code: number, reason: string): void
}

/** Above this a client counts as slow: it gets nothing more until it has read everything, and then snapshots. Also applies to a pending batch of this size. */
const MAX_BUFFERED_BYTES = 256 * 1024
/** A larger snapshot is not sent; the client loads the list by its call. */
const MAX_SNAPSHOT_BYTES = 512 * 1024
/** A client that keeps sending invalid messages is disconnected. */
const MAX_FAULTS = 20
/** Messages of a client between two heartbeats; a console sends a handful. */
const MAX_MESSAGES = 200

/** One client's subscriptions, and what it still has to be sent. Its unread bytes stay below 1 MB. */
export class StreamClient {
  readonly #source: StreamSource
  readonly #connection: StreamConnection
  readonly #topics = new Set<ClientTopic>()
  /** The topics as text. */
  #subscription = ''
  #instruments: ReadonlySet<string> | undefined
  /** Topics whose next frame must be a snapshot. While there are any, no change is sent. */
  readonly #due = new Set<ClientTopic>()
  readonly #market = new ClientMarket()
  /** The latest quote of each instrument that was not sent yet. */
  #quotes: readonly QuoteView[] = []
  /** Log lines that were not sent yet. */
  #logLines: LogLine[] = []
  /** The last change that was sent, or that this client does not want. */
  #servedSeq: number
  #isFlushDue = false
  #isBeatDue = false
  #faults = 0
  #messages = 0
  #isEnded = false

  constructor(source: StreamSource, connection: StreamConnection) {
    this.#source = source
    this.#connection = connection
    this.#servedSeq = source.seq
  }

  /** Takes a message of the client. */
  receive(text: string): void {
    // Frames buffered before the close still arrive.
    if (this.#isEnded) return
    this.catchUp()
    this.#messages += 1
    if (this.#messages > MAX_MESSAGES) {
      this.#end('Too many messages')
      return
    }
    const parsed = ClientFrame.safeParse(parseJson(text))
    if (!parsed.success) {
      const [issue] = parsed.error.issues
      this.#fail('stream.malformed', issue ? describeIssue(issue) : '')
      return
    }
    const frame = parsed.data
    const offered = frame.topics.filter((topic) => this.#isOffered(topic))
    if (frame.type === 'unsubscribe') {
      for (const topic of offered) this.#remove(topic)
      if (offered.some(isMarketTopic)) this.#source.onSubscriptionChange()
      return
    }
    const missing = frame.topics.find((topic) => !this.#isOffered(topic))
    if (missing !== undefined) this.#fail('stream.topic', missing)
    if (frame.instruments !== undefined && offered.includes('quotes'))
      this.#instruments = new Set(frame.instruments)
    this.#subscribe(this.#select(offered, frame), frame.resume)
  }

  #isOffered(topic: StreamTopic): topic is ClientTopic {
    if (topic === 'alerts') return this.#source.hasAlerts
    if (topic === 'logs') return this.#source.logs !== undefined
    return isDeskTopic(topic) || (isMarketTopic(topic) && this.#source.market !== undefined)
  }

  /** Applies the selection to the topics of market data; returns the topics that can be subscribed. */
  #select(
    topics: readonly ClientTopic[],
    { instruments, intervals }: Partial<MarketSelection>,
  ): ClientTopic[] {
    const chosen = topics.filter(isMarketTopic)
    if (chosen.length === 0) return [...topics]
    const selection = { instruments, intervals }
    const refusal = ClientMarket.refusalOf(selection, this.#source.market?.names ?? new Set())
    if (refusal !== undefined) {
      this.#fail('stream.instruments', `${chosen.join(', ')}: ${refusal}`)
      return topics.filter((topic) => !isMarketTopic(topic))
    }
    for (const topic of chosen) {
      this.#market.select(topic, selection)
      // Another selection begins with a snapshot of its own.
      this.#topics.delete(topic)
    }
    this.#source.onSubscriptionChange()
    return [...topics]
  }

  /** The next `serve` also sends snapshots that are due, the latest quotes, market data and log lines. */
  requestFlush(): void {
    this.#isFlushDue = true
  }

  /** The next `serve` also sends a heartbeat. */
  requestBeat(): void {
    this.#isBeatDue = true
  }

  /** Sends all that is due, in one write. */
  serve(): void {
    // Read before writing: what is written now is still in the buffer at the end.
    const hasReadAll = this.#connection.bufferedBytes === 0
    this.catchUp()
    if (this.#isFlushDue) this.#flush(hasReadAll)
    if (this.#isBeatDue) this.#beat()
  }

  /** Sends what was published; called before a frame with a later seq. */
  catchUp(): void {
    const { seq } = this.#source
    if (this.#servedSeq === seq) return
    const changes = this.#source.batchAfter(this.#servedSeq)
    this.#servedSeq = seq
    if (changes === undefined) this.resynchronise()
    else this.#deliver(changes)
  }

  /** The changes up to now are not sent any more. */
  skipChanges(): void {
    this.#servedSeq = this.#source.seq
  }

  /** Sends the changes that the client wants, unless it is slow. */
  #deliver(changes: ChangeBatch): void {
    const { frames, count } = changes.framesFor(this.#topics, this.#subscription)
    if (count === 0) return
    if (this.#isFull() || frames.length > MAX_BUFFERED_BYTES) this.resynchronise()
    else if (this.#due.size === 0) this.#connection.send(frames, count)
  }

  /** Quotes are coalesced: only the latest of each instrument is sent, and a slow client gets fewer. */
  addQuotes(quotes: readonly QuoteView[]): void {
    if (!this.#topics.has('quotes')) return
    const chosen = this.#instruments
    const wanted = chosen ? quotes.filter(({ instrument }) => chosen.has(instrument)) : quotes
    this.#quotes = this.#quotes.length === 0 ? wanted : latestOfEach([...this.#quotes, ...wanted])
  }

  /** The latest quotes, market data and log lines are only sent to a client that had read everything before. */
  #flush(hasReadAll: boolean): void {
    this.#isFlushDue = false
    this.sendDue()
    if (!hasReadAll || this.#due.size > 0) return
    this.#sendQuotes()
    this.#sendMarket()
    this.#sendLogs()
  }

  #sendQuotes(): void {
    if (this.#quotes.length === 0 || this.#isFull()) return
    this.#connection.send(this.#source.quotesFrame(this.#quotes))
    this.#quotes = []
  }

  /** The bars that this client follows. */
  get barKeys(): BarKey[] {
    return this.#market.barKeys
  }

  addTrades(trades: readonly TapeTrade[]): void {
    this.#market.addTrades(trades)
  }

  addBars(bars: readonly TrackedBar[]): void {
    this.#market.addBars(bars)
  }

  addBooks(instruments: readonly InstrumentId[]): void {
    this.#market.addBooks(instruments)
  }

  /** Sent like quotes: bounded, latest values only. */
  #sendMarket(): void {
    const { market } = this.#source
    if (market === undefined || this.#source.pauseReason !== null) return
    const { trades, bars, books } = this.#market.drain()
    if (trades.length > 0) this.#sendChange('trades', market.trades(trades))
    if (bars.length > 0) this.#sendChange('bars', market.bars(bars))
    if (books.length > 0) this.#sendChange('book', market.books(books))
  }

  addLogLine(line: LogLine): void {
    if (!this.#topics.has('logs')) return
    this.#logLines.push(line)
    if (this.#logLines.length > 2 * STREAM_LOG_LINES_MAX) this.#logLines.splice(0, STREAM_LOG_LINES_MAX)
  }

  /** Sent like quotes, also while MessageBus is stopped: log lines are no trading data. */
  #sendLogs(): void {
    if (this.#logLines.length === 0) return
    const lines = this.#logLines.slice(-STREAM_LOG_LINES_MAX)
    this.#logLines = []
    this.#sendChange('logs', { lines })
  }

  #sendChange(topic: MarketTopic | 'logs', data: object): void {
    this.send({ type: 'change', seq: this.#source.seq, topic, data })
  }

  /** Brings the client up to date by snapshots of all its topics. */
  resynchronise(): void {
    for (const topic of this.#topics) this.#due.add(topic)
    this.#quotes = []
    this.#logLines = []
    for (const topic of STREAM_MARKET_TOPICS) this.#market.clear(topic)
    this.sendDue()
  }

  /** Sends the snapshots that are due, as far as the client reads. */
  sendDue(): void {
    if (this.#due.size === 0 || this.#source.pauseReason !== null) return
    this.catchUp()
    for (const topic of this.#due) {
      if (this.#isFull()) return
      this.#due.delete(topic)
      this.#sendSnapshot(topic)
    }
  }

  /** Sends a frame of state or a heartbeat; a slow client learns of it by its snapshots. */
  send(frame: ServerFrame): void {
    if (!this.#isFull()) this.#connection.send(textFrame(JSON.stringify(frame)))
  }

  /** Pings the connection. No heartbeat while snapshots are due: it would say that the client is up to date. */
  #beat(): void {
    this.#isBeatDue = false
    this.#messages = 0
    this.#connection.ping()
    if (this.#due.size === 0) this.send(this.#source.heartbeat())
  }

  #isFull(): boolean {
    return this.#connection.bufferedBytes > MAX_BUFFERED_BYTES
  }

  #subscribe(topics: readonly ClientTopic[], resume: Resume | undefined): void {
    const added = topics.filter((topic) => !this.#topics.has(topic))
    for (const topic of added) this.#topics.add(topic)
    this.#subscription = [...this.#topics].join()
    const missed = resume?.epoch === this.#source.epoch ? this.#missedSince(resume.seq) : undefined
    if (missed === undefined || this.#due.size > 0) {
      for (const topic of added) this.#due.add(topic)
    } else {
      for (const change of missed) this.#deliver(new ChangeBatch([change]))
      // Quotes and the market are not held for a replay: only the latest count.
      for (const topic of added)
        if (topic === 'quotes' || topic === 'logs' || isMarketTopic(topic)) this.#due.add(topic)
    }
    this.sendDue()
    // Says that nothing is missing any more; a snapshot without `partial` says so too.
    if (this.#due.size === 0) this.send(this.#source.heartbeat())
  }

  /** A seq of the future was never sent by this server. */
  #missedSince(seq: number): readonly PublishedChange[] | undefined {
    return seq > this.#source.seq ? undefined : this.#source.changesAfter(seq)
  }

  #sendSnapshot(topic: ClientTopic): void {
    const { seq } = this.#source
    const text = this.#snapshotText(topic)
    const data = text.length > MAX_SNAPSHOT_BYTES ? '' : `,"data":${text}`
    const partial = this.#due.size > 0 ? ',"partial":true' : ''
    this.#connection.send(textFrame(`{"type":"snapshot","seq":${seq},"topic":"${topic}"${data}${partial}}`))
  }

  #snapshotText(topic: ClientTopic): string {
    if (topic === 'quotes') return this.#quotesText()
    if (topic === 'logs') return this.#logsText()
    return isMarketTopic(topic) ? this.#marketText(topic) : this.#source.snapshotText(topic)
  }

  #logsText(): string {
    this.#logLines = []
    return JSON.stringify({ lines: this.#source.logs?.latest({ limit: STREAM_LOG_LINES_MAX }) ?? [] })
  }

  #quotesText(): string {
    const quotes = this.#source
      .quotes()
      .filter(({ instrument }) => this.#instruments?.has(instrument) ?? true)
    return quotesText(quotes, this.#source.market)
  }

  #marketText(topic: MarketTopic): string {
    const { market } = this.#source
    if (market === undefined) return '{}'
    const instruments = this.#market.instrumentsOf(topic)
    this.#market.clear(topic)
    if (topic === 'trades') return JSON.stringify(market.tapes(instruments))
    if (topic === 'book') return JSON.stringify(market.books(instruments))
    return JSON.stringify(market.currentBars(this.#market.barKeys))
  }

  #remove(topic: ClientTopic): void {
    this.#topics.delete(topic)
    this.#subscription = [...this.#topics].join()
    this.#due.delete(topic)
    if (isMarketTopic(topic)) this.#market.leave(topic)
    if (topic === 'quotes') this.#quotes = []
    if (topic === 'logs') this.#logLines = []
  }

  #fail(code: keyof typeof STREAM_ERRORS, detail: string): void {
    this.#faults += 1
    this.send({ type: 'error', seq: this.#source.seq, code, message: `${STREAM_ERRORS[code]}: ${detail}` })
    if (this.#faults >= MAX_FAULTS) this.#end('Too many invalid messages')
  }

  #end(reason: string): void {
    this.#isEnded = true
    this.#connection.close(1008, reason)
  }
}

function latestOfEach(quotes: readonly QuoteView[]): readonly QuoteView[] {
  return [...new Map(quotes.map((quote) => [quote.instrument, quote])).values()]
}

type ClientTopic = OfferedTopic | MarketTopic | 'logs'

interface Resume {
  epoch: string
  seq: number
}

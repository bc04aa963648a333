import { randomUUID } from 'node:crypto'
import {
  type ChangeInput,
  type Order,
  type Position,
  type ServerFrame,
  type SnapshotInput,
  STREAM_MARKET_TOPICS,
  VERSION,
} from '@binnacle/contract'
import {
  type Desk,
  type DeskChange,
  MAX_LISTED_FINISHED,
  type QuoteView,
  type ViewName,
} from '@binnacle/engine'
import type { LogTail } from '#http/log-tail.ts'
import { textFrame } from '#http/websocket.ts'
import type { Alerts } from '#services/alerts/alerts.ts'
import { isServiceRunning } from '#trading/feature-state.ts'
import { fillToWire } from '#trading/fills.wire.ts'
import type { MarketData } from '#trading/market/market-data.ts'
import { orderToWire } from '#trading/orders.wire.ts'
import { ChangeBatch } from './change-batch.ts'
import { ClientScheduler } from './client-scheduler.ts'
import { MarketSource } from './market-source.ts'
import { type PublishedChange, ReplayBuffer } from './replay-buffer.ts'
import { StreamClient, type StreamConnection, type StreamSource } from './stream-client.ts'
import {
  DESK_TOPICS,
  type DeskTopic,
  nextOrders,
  type OfferedTopic,
  quotesText,
  SentRows,
  SentValue,
  snapshotOf,
} from './stream-rows.ts'

export interface StreamHubOptions {
  desk: Desk
  /** Without it the topics of market data are not offered. */
  market?: MarketData | undefined
  traderId: string
  /** Without it the topic of alerts is not offered. */
  alerts?: Pick<Alerts, 'summary' | 'onChange'> | undefined
  /** Without it the topic logs is not offered. */
  logs?: LogTail | undefined
}

/** Figures that move with every price are published at this interval, orders and state at once. */
const FLUSH_MS = 100
const HEARTBEAT_MS = 2_000
/** Changes are followed for this long after the last client left, so that it can resume. */
const LINGER_MS = 60_000

/** Follows the desk's changes, numbers them and passes them to every client (STREAM-1). */
export class StreamHub implements StreamSource {
  readonly epoch: string = randomUUID()
  readonly #desk: Desk
  readonly #traderId: string
  readonly #marketData: MarketData | undefined
  readonly #alerts: StreamHubOptions['alerts']
  readonly market: MarketSource | undefined
  readonly logs: LogTail | undefined
  readonly #clients = new Set<StreamClient>()
  readonly #replay = new ReplayBuffer()
  /** The changes after a seq up to the latest one. */
  readonly #batches = new Map<number, ChangeBatch>()
  readonly #scheduler = new ClientScheduler(this.#clients, (client) => client.serve())
  /** The orders' snapshot as text until the next change: 1,000 orders take 4 ms to encode. */
  #ordersText: string | undefined
  #seq = 0
  #pauseReason: string | null = null
  #isMarketServed = true
  #sent = createSent()
  #changed = new Set<ViewName>()
  #hasNewMarks = false
  #hasNewOrders = false
  #quotesFrame: { quotes: readonly QuoteView[]; seq: number; frame: Buffer } | undefined
  #sentQuotes = new Map<string, QuoteView>()
  #stopFollowing: (() => void) | undefined
  #timers: NodeJS.Timeout[] = []
  #linger: NodeJS.Timeout | undefined

  constructor({ desk, traderId, market, alerts, logs }: StreamHubOptions) {
    this.logs = logs
    this.#desk = desk
    this.#marketData = market
    this.market = market && new MarketSource(desk, market)
    this.#traderId = traderId
    this.#alerts = alerts
  }

  get hasAlerts(): boolean {
    return this.#alerts !== undefined
  }

  get seq(): number {
    return this.#seq
  }

  get oldestSeq(): number {
    return this.#replay.oldestSeq
  }

  get pauseReason(): string | null {
    return this.#pauseReason
  }

  get clientCount(): number {
    return this.#clients.size
  }

  changesAfter(seq: number): readonly PublishedChange[] | undefined {
    return this.#replay.after(seq)
  }

  batchAfter(seq: number): ChangeBatch | undefined {
    const known = this.#batches.get(seq)
    if (known !== undefined) return known
    const changes = this.changesAfter(seq)
    if (changes === undefined) return undefined
    const batch = new ChangeBatch(changes)
    this.#batches.set(seq, batch)
    return batch
  }

  snapshotText(topic: OfferedTopic): string {
    if (topic === 'alerts') return JSON.stringify(this.#alerts?.summary())
    if (topic !== 'orders') return JSON.stringify(this.#snapshot(topic))
    this.#ordersText ??= JSON.stringify(this.#snapshot('orders'))
    return this.#ordersText
  }

  quotes(): readonly QuoteView[] {
    return this.#isMarketServed ? this.#desk.views.quotes() : []
  }

  quotesFrame(quotes: readonly QuoteView[]): Buffer {
    const known = this.#quotesFrame
    if (known?.quotes === quotes && known.seq === this.#seq) return known.frame
    const data = quotesText(quotes, this.market)
    const frame = textFrame(`{"type":"change","seq":${this.#seq},"topic":"quotes","data":${data}}`)
    this.#quotesFrame = { quotes, seq: this.#seq, frame }
    return frame
  }

  /** Adds a client and says hello. */
  connect(connection: StreamConnection): StreamClient {
    this.#follow()
    const client = new StreamClient(this, connection)
    this.#clients.add(client)
    client.send({
      type: 'hello',
      seq: this.#seq,
      epoch: this.epoch,
      oldest_seq: this.#replay.oldestSeq,
      version: VERSION,
      topics: [
        ...DESK_TOPICS,
        ...(this.market === undefined ? [] : STREAM_MARKET_TOPICS),
        ...(this.hasAlerts ? ['alerts'] : []),
        ...(this.logs === undefined ? [] : ['logs']),
      ],
      heartbeat_ms: HEARTBEAT_MS,
    })
    if (this.#pauseReason !== null) this.#sendStatus(client)
    return client
  }

  disconnect(client: StreamClient): void {
    this.#clients.delete(client)
    this.#scheduler.remove(client)
    this.onSubscriptionChange()
    if (this.#clients.size > 0 || this.#stopFollowing === undefined) return
    this.#linger = setTimeout(() => this.#unfollow(), LINGER_MS)
    this.#linger.unref()
  }

  close(): void {
    this.#unfollow()
    this.#clients.clear()
  }

  /** Publishes the figures that changed since the last time, and the latest quotes. */
  flush(): void {
    if (this.#pauseReason === null) {
      this.#trimOrders()
      this.#flushFigures()
      this.#flushQuotes()
    }
    for (const client of this.#clients) client.requestFlush()
    this.#scheduler.start()
  }

  /** A heartbeat shows a client that nothing is missing; a silent connection is a lost one. */
  beat(): void {
    for (const client of this.#clients) client.requestBeat()
    this.#scheduler.start()
  }

  /** Only bars that some client follows are computed. */
  onSubscriptionChange(): void {
    this.#marketData?.followBars([...this.#clients].flatMap((client) => client.barKeys))
  }

  heartbeat(): ServerFrame {
    return { type: 'heartbeat', seq: this.#seq, at: new Date().toISOString() }
  }

  #follow(): void {
    clearTimeout(this.#linger)
    if (this.#stopFollowing !== undefined) return
    const unsubscribes = [
      this.#marketData?.listen({
        onTrades: (trades) => this.#forClients((client) => client.addTrades(trades)),
        onBars: (bars) => this.#forClients((client) => client.addBars(bars)),
      }),
      this.#desk.onChange((change) => this.#onChange(change)),
      this.#alerts?.onChange(() => this.#publishAlerts()),
      this.logs?.onLine((line) => {
        for (const client of this.#clients) client.addLogLine(line)
      }),
    ]
    this.#stopFollowing = () => {
      for (const unsubscribe of unsubscribes) unsubscribe?.()
    }
    this.#startOver()
    const every = (ms: number, work: () => void) => this.#timers.push(setInterval(work, ms).unref())
    every(FLUSH_MS, () => this.flush())
    every(HEARTBEAT_MS, () => this.beat())
  }

  #unfollow(): void {
    clearTimeout(this.#linger)
    for (const timer of this.#timers.splice(0)) clearInterval(timer)
    this.#stopFollowing?.()
    this.#stopFollowing = undefined
    // What happens from now on is not followed, so nobody can resume from here.
    this.#forgetChanges()
  }

  #forgetChanges(): void {
    this.#seq += 1
    this.#replay.clear(this.#seq)
    this.#batches.clear()
    for (const client of this.#clients) client.skipChanges()
  }

  /** Sends what was published to every client at once; before what a client must not see first. */
  #catchUpAll(): void {
    for (const client of this.#clients) client.catchUp()
  }

  /** While the stream is paused nothing is collected: the snapshots after it show the latest. */
  #forClients(act: (client: StreamClient) => void): void {
    if (this.#pauseReason === null && this.#isMarketServed) for (const client of this.#clients) act(client)
  }

  #onChange(change: DeskChange): void {
    this.#ordersText = undefined
    if (change.kind === 'reset') {
      this.#startOver()
      this.#resynchroniseAll()
      return
    }
    if (change.kind === 'marks') {
      this.#hasNewMarks = true
      return
    }
    const { views } = this.#desk
    const isStateChange = change.views.has('engine')
    if (isStateChange) this.#checkMarket()
    if (isStateChange && this.#checkPause()) return
    if (this.#pauseReason !== null) return
    if (change.orders.length > 0)
      this.#publishOrders(
        change.orders.map((order) => orderToWire(order, views)),
        [],
      )
    const ordered = change.orders.map(({ instrument }) => instrument)
    if (ordered.length > 0) this.#forClients((client) => client.addBooks(ordered))
    if (change.fills.length > 0)
      this.#publish('fills', { fills: change.fills.map((fill) => fillToWire(fill, views)) })
    if (isStateChange) this.#publishState(change.views)
    if (change.views.has('trading-state')) this.#publishValue('trading-state')
    for (const name of change.views) this.#changed.add(name)
  }

  /** Market Data Service started again: clients take snapshots of what they missed. */
  #checkMarket(): void {
    const wasServed = this.#isMarketServed
    this.#isMarketServed = isServiceRunning(this.#desk, 'market-data')
    if (this.#isMarketServed && !wasServed) this.#resynchroniseAll()
  }

  /** MessageBus stopped: the stream gets nothing. Returns whether that changed. */
  #checkPause(): boolean {
    const reason = pauseReason(this.#desk)
    if (reason === this.#pauseReason) return false
    this.#pauseReason = reason
    this.#startOver()
    for (const client of this.#clients) this.#sendStatus(client)
    if (reason === null) this.#resynchroniseAll()
    return true
  }

  #sendStatus(client: StreamClient): void {
    client.send({ type: 'status', seq: this.#seq, paused: this.#pauseReason })
  }

  /** What was sent so far says nothing about the state now: clients take snapshots. */
  #startOver(): void {
    this.#ordersText = undefined
    this.#catchUpAll()
    this.#pauseReason = pauseReason(this.#desk)
    this.#isMarketServed = isServiceRunning(this.#desk, 'market-data')
    this.#forgetChanges()
    this.#sent = createSent()
    this.#changed.clear()
    const { views } = this.#desk
    this.#sent.orders = new Map(views.orders().map(({ id, status }) => [id, status !== 'PENDING']))
    this.#sent.positions.replace(this.#snapshot('positions').positions)
    this.#sent.strategies.replace(this.#snapshot('strategies').strategies)
    for (const topic of SINGLE_VALUES) this.#sent.values[topic].replace(this.#snapshot(topic))
    this.#sentQuotes = new Map(views.quotes().map((quote) => [quote.instrument, quote]))
  }

  #resynchroniseAll(): void {
    this.#catchUpAll()
    for (const client of this.#clients) client.resynchronise()
  }

  #snapshot<Topic extends DeskTopic>(topic: Topic): ReturnType<(typeof snapshotOf)[Topic]> {
    // The table's entry for a topic returns that topic's data.
    return snapshotOf[topic](this.#desk, this.#traderId) as ReturnType<(typeof snapshotOf)[Topic]>
  }

  #publishState(rows: ReadonlySet<ViewName>): void {
    this.#publishValue('engine')
    this.#publishValue('components')
    if (rows.has('strategies')) this.#publishStrategies()
  }

  #publishOrders(changed: readonly Order[], removed: readonly string[]): void {
    const { orders } = this.#sent
    if (changed.length > 0) this.#hasNewOrders = true
    for (const { id, status } of changed) orders.set(String(id), status !== 'PENDING')
    for (const id of removed) orders.delete(id)
    const next = removed.length > 0 ? { next_cursor: nextOrders(this.#desk) } : {}
    this.#publish('orders', { changed: [...changed], removed: [...removed], ...next })
  }

  /** Orders that left the default list because later ones finished; refused ones finish too, and change no figure. */
  #trimOrders(): void {
    if (!this.#hasNewOrders) return
    this.#hasNewOrders = false
    const finished = [...this.#sent.orders.values()].filter(Boolean).length
    if (finished <= MAX_LISTED_FINISHED) return
    const listed = new Set<string>(this.#desk.views.orders().map(({ id }) => id))
    const removed = [...this.#sent.orders.keys()].filter((id) => !listed.has(id))
    if (removed.length > 0) this.#publishOrders([], removed)
  }

  #flushFigures(): void {
    const names = this.#changed
    const hasNewMarks = this.#hasNewMarks
    if (names.size === 0 && !hasNewMarks) return
    this.#changed = new Set()
    if (hasNewMarks || names.has('positions')) this.#publishPositions()
    if (hasNewMarks || names.has('strategies')) this.#publishStrategies()
    if (hasNewMarks || names.has('account')) this.#publishValue('account')
    if (hasNewMarks || names.has('risk')) this.#publishValue('risk')
  }

  #flushQuotes(): void {
    if (!this.#hasNewMarks) return
    this.#hasNewMarks = false
    const fresh = this.quotes().filter((quote) => !isSameQuote(quote, this.#sentQuotes.get(quote.instrument)))
    for (const quote of fresh) this.#sentQuotes.set(quote.instrument, quote)
    if (fresh.length === 0) return
    const instruments = fresh.map(({ instrument }) => instrument)
    for (const client of this.#clients) {
      client.addQuotes(fresh)
      client.addBooks(instruments)
    }
  }

  #publishPositions(): void {
    const changes = this.#sent.positions.replace(this.#snapshot('positions').positions)
    if (changes !== undefined) this.#publish('positions', changes)
  }

  #publishStrategies(): void {
    const changes = this.#sent.strategies.replace(this.#snapshot('strategies').strategies)
    if (changes !== undefined) this.#publish('strategies', changes)
  }

  #publishValue(topic: SingleValue): void {
    const value = this.#snapshot(topic)
    if (this.#sent.values[topic].replace(value)) this.#publish(topic, value)
  }

  #publishAlerts(): void {
    if (this.#alerts !== undefined && this.#pauseReason === null)
      this.#publish('alerts', this.#alerts.summary())
  }

  #publish<Topic extends OfferedTopic>(topic: Topic, data: ChangeInput<Topic>): void {
    this.#seq += 1
    const text = `{"type":"change","seq":${this.#seq},"topic":"${topic}","data":${JSON.stringify(data)}}`
    const change: PublishedChange = { seq: this.#seq, topic, frame: textFrame(text) }
    this.#replay.add(change)
    this.#batches.clear()
    // At the end of the turn, after the replies of the commands that caused it.
    this.#scheduler.request()
  }
}

/** Two quotes of one millisecond may differ. */
function isSameQuote({ at, bid, ask }: QuoteView, sent: QuoteView | undefined): boolean {
  return sent !== undefined && sent.at === at && sent.bid === bid && sent.ask === ask
}

const SINGLE_VALUES = ['engine', 'components', 'account', 'risk', 'trading-state'] as const
type StrategyRow = SnapshotInput<'strategies'>['strategies'][number]
type SingleValue = (typeof SINGLE_VALUES)[number]

function createSent() {
  return {
    /** Every order of the default list, and whether it is finished. */
    orders: new Map<string, boolean>(),
    positions: new SentRows<Position>(),
    strategies: new SentRows<StrategyRow>(),
    values: {
      engine: new SentValue(),
      components: new SentValue(),
      account: new SentValue(),
      risk: new SentValue(),
      'trading-state': new SentValue(),
    },
  }
}

function pauseReason({ views }: Desk): string | null {
  const bus = views.engine().components.find(({ name }) => name === 'MessageBus')
  if (bus === undefined || bus.status === 'running') return null
  return 'MessageBus is stopped. Figures are loaded at intervals until it is started.'
}

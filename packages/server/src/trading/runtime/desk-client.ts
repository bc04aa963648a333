import type { Worker } from 'node:worker_threads'
import {
  type BarColumns,
  BUILT_IN_KINDS,
  type Command,
  type CommandSender,
  changeOf,
  createHardState,
  createViews,
  type Desk,
  type DeskChange,
  type DeskViews,
  decodeEntries,
  decodeSnapshot,
  type Event,
  Fault,
  type JournalEntry,
  type LinkSettings,
  type LinkStatus,
  Listeners,
  type OrderHistory,
  type OrderTimeline,
  type OrderView,
  type Outcome,
  type PlaceOrder,
  type PreviewOutcome,
  type Seq,
  type StrategyId,
  type StrategyKind,
  type StrategyLog,
  standardInstruments,
  type TestStep,
  type TradeTick,
  type UpdatableViews,
  type VenueId,
} from '@binnacle/engine'
import { CustomHost, createCustomKind } from '@binnacle/sandbox'
import type { FastifyBaseLogger } from 'fastify'
import { type Checkpoints, startCheckpoints } from '#storage/checkpoints.ts'
import { type JournalReader, openJournalReader } from '#storage/journal/journal-store.ts'
import { openOrderHistoryReader } from '#storage/orders/order-history.ts'
import { type AdapterLinks, ReconciliationNotes } from './adapter-links.ts'
import { ChangeListeners } from './change-listeners.ts'
import type { DeskPaths, DeskWorkerOptions, FromDesk, OutcomeMessage, ToDesk } from './desk-protocol.ts'
import { startEngineThread } from './engine-thread.ts'
import { readAnswers } from './message-batcher.ts'
import { readOrderTimeline } from './order-timeline.ts'
import { PendingRequests } from './pending-requests.ts'
import { StrategyLogs } from './strategy-log.ts'
import { SubmissionQueue } from './submission-queue.ts'
import { unpackTrades } from './trade-batch.ts'
import { WarmUpBars } from './warm-up-bars.ts'

/** The embedded engine as used by the API thread, with what its host needs to run it. */
export interface DeskClient extends Desk {
  readonly kinds: readonly StrategyKind[]
  /** Yields every journal entry after the given one and then each new entry. */
  entriesAfter(seq: Seq): AsyncIterable<JournalEntry>
  /** Sends all recorded daily bars, now and after every restart of the engine. */
  loadDailyBars(daily: readonly BarColumns[]): void
  /** Warms running strategies up with recorded bars, now and after every restart of the engine. */
  warmUp(bars: readonly BarColumns[]): void
  readonly adapters: AdapterLinks
  close(): Promise<void>
}

export interface DeskClientOptions {
  paths: DeskPaths
  seed: number
  daily?: readonly BarColumns[]
  /** Settings of connections that differ from the default. */
  linkSettings?: ReadonlyMap<VenueId, LinkSettings>
  logger: FastifyBaseLogger
  /** Starts the engine thread; tests replace it to terminate the thread. */
  startWorker?: (options: DeskWorkerOptions) => Worker
  /** Milliseconds of a clock that never goes back. */
  now?: () => number
}

/** Starts the engine thread and resolves once the state from the journal is loaded on this side. */
export async function startDeskClient(options: DeskClientOptions): Promise<DeskClient> {
  const client = new WorkerDeskClient(options)
  await client.start()
  return client
}

type MessageHandlers = {
  readonly [Kind in FromDesk['kind']]: (message: Extract<FromDesk, { kind: Kind }>) => void
}

type TradeListener = Parameters<Desk['onTrades']>[0]

interface Pending<Answer> {
  resolve: (answer: Answer) => void
  reject: (fault: Error) => void
}

type PendingLinks = (links: readonly LinkStatus[]) => void

const RESTART_DELAYS_MS = [0, 500, 2000, 5000]
/** An engine that ends sooner has not recovered: the next restart waits longer. */
const STABLE_AFTER_MS = 60_000
const RESTARTING_REASON = 'the engine is starting again from its journal'
const RESTARTING = { ok: false, reason: { code: 'desk.halted', haltReason: RESTARTING_REASON } } as const
const OUTCOME_UNKNOWN = 'unknown: retry with the same key'

class WorkerDeskClient implements DeskClient {
  readonly #options: DeskClientOptions
  readonly #instruments = standardInstruments()
  readonly #custom: CustomHost
  readonly #pending = new PendingRequests<Pending<Outcome>>()
  readonly #previews = new PendingRequests<Pending<PreviewOutcome>>()
  readonly #linkRequests = new PendingRequests<PendingLinks>()
  readonly #linkTests = new PendingRequests<Pending<readonly TestStep[] | null>>()
  readonly #reconciliations = new ReconciliationNotes()
  readonly #linkSettings: Map<VenueId, LinkSettings>
  readonly #changes: ChangeListeners
  #views: UpdatableViews = createViews(this.#instruments, createHardState())
  #worker: Worker | undefined
  #reader: JournalReader | undefined
  /** While an engine runs: a starting one replaces a damaged file. */
  #checkpoints: Checkpoints | undefined
  #logs = new StrategyLogs()
  #orderHistory: ReturnType<typeof openOrderHistoryReader> | undefined
  readonly #outgoing = new SubmissionQueue((submissions) => this.#post({ kind: 'submit', submissions }))
  readonly #warmUpBars = new WarmUpBars()
  readonly kinds: readonly StrategyKind[]
  #daily: readonly BarColumns[]
  readonly #tradeListeners: Listeners<Parameters<TradeListener>>
  #startCount = 0
  /** Restarts since an engine last ran for a minute; they set the delay of the next one. */
  #restartAttempts = 0
  #startedAtMs = 0
  readonly #now: () => number
  #restartTimer: NodeJS.Timeout | undefined
  #isClosing = false
  /** Only a desk that has run is restarted automatically; a failed first start rejects `start`. */
  #hasOpened = false

  constructor(options: DeskClientOptions) {
    this.#options = options
    this.#daily = options.daily ?? []
    this.#linkSettings = new Map(options.linkSettings)
    const { logger, paths, now = performance.now.bind(performance) } = options
    this.#now = now
    const onFault = (err: unknown) => logger.error({ event: 'desk.listener-failed', err })
    this.#changes = new ChangeListeners(onFault)
    this.#tradeListeners = new Listeners(onFault)
    this.kinds = [...BUILT_IN_KINDS, createCustomKind(paths.strategiesFolder)]
    const submit = (command: Command) => this.submit(command)
    this.#custom = new CustomHost({ folder: paths.strategiesFolder, logger, submit })
  }

  get views(): DeskViews {
    return this.#views
  }

  get orderHistory(): OrderHistory {
    this.#orderHistory ??= openOrderHistoryReader(this.#options.paths.ordersFile)
    return this.#orderHistory
  }

  start(): Promise<void> {
    const { paths, seed, startWorker = startEngineThread } = this.#options
    const worker = startWorker({
      paths,
      // Another one at each start: a restarted market does not repeat its moves.
      seed: seed + this.#startCount++,
      daily: this.#daily,
      warmUpBars: this.#warmUpBars.all(),
      linkSettings: this.#linkSettings,
    })
    this.#worker = worker
    this.#startedAtMs = this.#now()
    return new Promise((resolve, reject) => {
      worker.on('message', (message: FromDesk) => {
        this.#onMessage(message)
        if (message.kind === 'ready') resolve()
      })
      worker.on('error', (fault: Error) => {
        this.#options.logger.error({ event: 'engine.died', err: fault })
        reject(fault)
      })
      worker.on('exit', () => {
        reject(new Fault('desk.halted', 'the engine ended while it started'))
        this.#onWorkerExit(worker)
      })
    })
  }

  loadDailyBars(daily: readonly BarColumns[]): void {
    this.#daily = daily
    this.#post({ kind: 'daily-bars', daily })
  }

  warmUp(bars: readonly BarColumns[]): void {
    this.#warmUpBars.add(bars)
    this.#post({ kind: 'warm-up', bars })
  }

  readonly adapters: AdapterLinks = {
    list: () => {
      if (this.#worker === undefined) return Promise.resolve([])
      return new Promise((resolve) => {
        const answer: PendingLinks = (links) => resolve(this.#reconciliations.addTo(links))
        this.#post({ kind: 'links', id: this.#linkRequests.put(answer) })
      })
    },
    configure: (venue, settings) => {
      this.#linkSettings.set(venue, settings)
      this.#post({ kind: 'configure-link', venue, settings })
    },
    test: (venue) => {
      if (this.#worker === undefined) return Promise.resolve(null)
      return new Promise((resolve, reject) =>
        this.#post({ kind: 'test-link', id: this.#linkTests.put({ resolve, reject }), venue }),
      )
    },
  }

  onTrades(listener: TradeListener): () => void {
    return this.#tradeListeners.add(listener)
  }

  submit(command: Command, sender: CommandSender = { by: 'server' }): Promise<Outcome> {
    if (this.#worker === undefined) return Promise.resolve(RESTARTING)
    return new Promise((resolve, reject) => {
      const id = this.#pending.put({ resolve, reject })
      this.#outgoing.add({ id, command, sender })
    })
  }

  preview(order: PlaceOrder): Promise<PreviewOutcome> {
    if (this.#worker === undefined) return Promise.resolve(RESTARTING)
    return new Promise((resolve, reject) => {
      // Commands that wait to be sent come first.
      this.#outgoing.send()
      this.#post({ kind: 'preview', id: this.#previews.put({ resolve, reject }), order })
    })
  }

  async orderTimeline(order: OrderView): Promise<OrderTimeline> {
    // A working order can have entries up to the head of the journal.
    const to = order.status === 'PENDING' ? Number.POSITIVE_INFINITY : order.updatedAt
    return readOrderTimeline(this.#openReader(), order, this.#instruments, to)
  }

  strategyLog(strategy: StrategyId): Promise<StrategyLog> {
    return this.#logs.read(this.#openReader(), strategy, {
      instruments: this.#instruments,
      revision: this.#views.seq,
    })
  }

  async *entriesAfter(after: Seq): AsyncIterable<JournalEntry> {
    let last = after
    while (!this.#isClosing) {
      for await (const entry of this.#openReader().entriesAfter(last)) {
        yield entry
        last = entry.seq
      }
      if (this.#views.seq <= last) await this.changed()
    }
  }

  onChange(listener: (change: DeskChange) => void): () => void {
    return this.#changes.add(listener)
  }

  changed(): Promise<void> {
    return this.#changes.next()
  }

  async close(): Promise<void> {
    this.#isClosing = true
    clearTimeout(this.#restartTimer)
    this.#changes.resolveNext()
    const worker = this.#worker
    const ended = worker && new Promise((resolve) => worker.once('exit', resolve))
    this.#custom.close()
    await this.#endCheckpoints()
    this.#outgoing.send()
    this.#post({ kind: 'close' })
    await ended
    this.#reader?.close()
    this.#orderHistory?.close()
  }

  readonly #handlers: MessageHandlers = {
    opened: ({ snapshot }) => {
      const { haltReason } = this.#views
      this.#views = createViews(this.#instruments, decodeSnapshot(snapshot))
      this.#halt(haltReason)
      this.#changes.resolveNext()
    },
    ready: () => {
      this.#hasOpened = true
      this.#startCheckpoints()
      this.#halt(null)
    },
    committed: ({ entries: text, answers }) => {
      const entries = decodeEntries(text)
      for (const entry of entries) this.#apply(entry)
      for (const answer of readAnswers(answers)) this.#resolveSubmission(answer)
      this.#custom.follow(entries)
      this.#changes.resolveNext()
    },
    previewed: ({ id, outcome }) => this.#previews.remove(id)?.resolve(outcome),
    links: ({ id, links }) => this.#linkRequests.remove(id)?.(links),
    'link-tested': ({ id, steps }) => this.#linkTests.remove(id)?.resolve(steps),
    'request-failed': ({ request, id, failure }) =>
      (request === 'preview' ? this.#previews : this.#linkTests).remove(id)?.reject(new Error(failure)),
    figures: ({ figures, trades: packed, until }) => {
      this.#views.refresh(figures)
      // An instrument without a quote of this step is muted (DataEngine stopped, venue not connected): so are its trades.
      const isQuoted = ({ instrument, at }: TradeTick) =>
        (figures.marks.at[this.#instruments.indexOf(instrument)] ?? 0) >= at
      const trades = unpackTrades(packed, this.#instruments).filter(isQuoted)
      this.#tradeListeners.call(trades, until)
      this.#changes.publish(() => ({ kind: 'marks', revision: this.#views.seq }))
    },
    custom: ({ updates }) => this.#custom.deliver(updates),
    halted: ({ haltReason }) => {
      if (haltReason === null) this.#options.logger.warn({ event: 'desk.resumed' })
      else if (haltReason !== this.#views.haltReason)
        this.#options.logger.warn({ event: 'desk.halted', reason: haltReason })
      this.#halt(haltReason)
    },
    log: ({ event, message }) => this.#options.logger.warn({ event, message }),
  }

  #apply(entry: JournalEntry): void {
    this.#views.apply(entry)
    this.#reconciliations.apply(entry)
    this.#changes.publish(() => changeOf(entry, this.#views))
    for (const event of entry.events) this.#log(event)
  }

  #log(event: Event): void {
    const { logger } = this.#options
    if (event.type === 'StrategyFailed')
      logger.warn({ event: 'strategy.failed', strategy: event.strategy, reason: event.reason })
    // The venue may have traded what no position here has.
    if (event.type === 'ReportDisregarded' && event.report === 'filled') {
      const message = `A fill of order ${event.orderId} was not counted: ${event.why}.`
      logger.warn({ event: 'order.fill-disregarded', message })
    }
  }

  #onMessage(message: FromDesk): void {
    // The table's entry for a kind takes exactly that kind's message.
    const handle = this.#handlers[message.kind] as (message: FromDesk) => void
    handle(message)
  }

  #resolveSubmission(answer: OutcomeMessage): void {
    const pending = this.#pending.remove(answer.id)
    if ('outcome' in answer) pending?.resolve(answer.outcome)
    else pending?.reject(new Fault('command.outcome-unknown', answer.failure))
  }

  #openReader(): JournalReader {
    const { journalFile: file, archiveFolder } = this.#options.paths
    this.#reader ??= openJournalReader({ file, archiveFolder })
    return this.#reader
  }

  /** Commands in flight when the thread exits may or may not be in the journal; a retry with the same key finds out. */
  #onWorkerExit(worker: Worker): void {
    if (this.#worker !== worker) return
    this.#worker = undefined
    void this.#endCheckpoints()
    // A starting engine replaces a damaged file.
    this.#logs = new StrategyLogs()
    this.#orderHistory?.close()
    this.#orderHistory = undefined
    this.#outgoing.clear()
    for (const { reject } of this.#pending.removeAll())
      reject(new Fault('command.outcome-unknown', OUTCOME_UNKNOWN))
    for (const { resolve } of this.#previews.removeAll()) resolve(RESTARTING)
    for (const answer of this.#linkRequests.removeAll()) answer([])
    for (const { resolve } of this.#linkTests.removeAll()) resolve(null)
    this.#custom.endAll()
    if (this.#isClosing || !this.#hasOpened) return
    this.#halt(RESTARTING_REASON)
    if (this.#now() - this.#startedAtMs >= STABLE_AFTER_MS) this.#restartAttempts = 0
    this.#scheduleRestart()
  }

  /** Without the thread the engine checkpoints its files itself. */
  #startCheckpoints(): void {
    const { paths, logger } = this.#options
    const log = (err: Error) => logger.warn({ event: 'checkpoints.failed', err })
    this.#checkpoints = startCheckpoints([paths.journalFile, paths.ordersFile], log)
  }

  async #endCheckpoints(): Promise<void> {
    const checkpoints = this.#checkpoints
    this.#checkpoints = undefined
    await checkpoints?.close()
  }

  #scheduleRestart(): void {
    const delayMs = RESTART_DELAYS_MS[Math.min(this.#restartAttempts++, RESTART_DELAYS_MS.length - 1)]
    this.#restartTimer = setTimeout(() => {
      try {
        this.start().catch(() => {})
      } catch (err) {
        // Without a thread there is no exit that would schedule the next start.
        this.#options.logger.error({ event: 'engine.not-started', err })
        this.#scheduleRestart()
      }
    }, delayMs)
  }

  #halt(haltReason: string | null): void {
    this.#views.halt(haltReason)
    this.#changes.publish(() => ({ kind: 'reset', revision: this.#views.seq }))
  }

  #post(message: ToDesk): void {
    this.#worker?.postMessage(message)
  }
}

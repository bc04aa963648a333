import { Worker } from 'node:worker_threads'
import {
  type Asker,
  type BarColumns,
  BUILT_IN_KINDS,
  type Command,
  createHardState,
  createViews,
  type Desk,
  decodeEntries,
  decodeSnapshot,
  Fault,
  type JournalEntry,
  type LiveViews,
  type Outcome,
  type Seq,
  type StrategyKind,
  standardInstruments,
} from '@binnacle/engine'
import type { FastifyBaseLogger } from 'fastify'
import { type JournalReader, openJournalReader } from '#storage/journal/journal-store.ts'
import { openPastOrders, type PastOrders } from '#storage/orders/order-history.ts'
import { CustomHost } from './custom/custom-host.ts'
import { createCustomKind } from './custom/custom-kind.ts'
import type { Answer, DeskPlace, DeskWorkerOptions, FromDesk, ToDesk } from './desk-protocol.ts'
import type { MinuteBar } from './minute-bars.ts'
import { readAnswers, withEntry } from './outbox.ts'
import { Slots } from './slots.ts'
import { SubmissionQueue } from './submission-queue.ts'
import { ToldPast } from './told-past.ts'

/** The desk as the API's thread has it: views mirrored here, commands sent across. */
export interface DeskHost extends Desk {
  /** Finished orders further back than the views go. */
  readonly pastOrders: PastOrders
  /** Why trading stopped by itself, or null: the disk fails, or the engine's thread is down. */
  readonly haltedBecause: string | null
  /** The kinds of strategy that it can run. */
  readonly kinds: readonly StrategyKind[]
  /** Resolves when the views next change. */
  changed(): Promise<void>
  close(): Promise<void>
}

/** The embedded desk, which is warmed up with what the catalog recorded. */
export interface EmbeddedDesk extends DeskHost {
  /** Hands over all recorded days, now and whenever the engine starts again. */
  warm(daily: readonly BarColumns[]): void
  /** Tells strategies that run bars of the past, now and whenever the engine starts again. */
  prime(bars: readonly BarColumns[]): void
  /** From now on hands on every minute of the market when it is over. */
  onMinutes(hear: (minutes: readonly MinuteBar[]) => void): void
}

export interface DeskHostOptions {
  place: DeskPlace
  seed: number
  daily?: readonly BarColumns[]
  logger: FastifyBaseLogger
  /** Starts the engine's thread; a test keeps hold of it, to end it. */
  startWorker?: (options: DeskWorkerOptions) => Worker
}

/** Starts the engine's thread and resolves when what the journal says is on the screens' side. */
export async function startDeskHost(options: DeskHostOptions): Promise<EmbeddedDesk> {
  const host = new WorkerDeskHost(options)
  await host.start()
  return host
}

export function startDeskWorker(workerData: DeskWorkerOptions): Worker {
  return new Worker(new URL('./desk-worker.ts', import.meta.url), { workerData })
}

type Reactions = {
  readonly [Kind in FromDesk['kind']]: (message: Extract<FromDesk, { kind: Kind }>) => void
}

interface Pending {
  resolve: (outcome: Outcome) => void
  reject: (fault: Fault) => void
}

const RESTART_DELAYS_MS = [0, 500, 2000, 5000]
const RESTARTING = 'the engine is starting again from its journal'
const UNKNOWN = 'unknown: retry with the same key'

class WorkerDeskHost implements EmbeddedDesk {
  readonly #options: DeskHostOptions
  readonly #instruments = standardInstruments()
  readonly #custom: CustomHost
  readonly #pending = new Slots<Pending>()
  #listeners: (() => void)[] = []
  #views: LiveViews = createViews(this.#instruments, createHardState())
  #worker: Worker | undefined
  #reader: JournalReader | undefined
  #pastOrders: ReturnType<typeof openPastOrders> | undefined
  readonly #outgoing = new SubmissionQueue((submissions) => this.#tell({ kind: 'submit', submissions }))
  readonly #past = new ToldPast()
  readonly kinds: readonly StrategyKind[]
  #daily: readonly BarColumns[]
  #hearMinutes: (minutes: readonly MinuteBar[]) => void = () => {}
  #restarts = 0
  #restart: NodeJS.Timeout | undefined
  #isClosing = false
  /** A first start that fails is the caller's to tell; only a desk that ran is started again by itself. */
  #hasOpened = false
  haltedBecause: string | null = null

  constructor(options: DeskHostOptions) {
    this.#options = options
    this.#daily = options.daily ?? []
    const { logger, place } = options
    this.kinds = [...BUILT_IN_KINDS, createCustomKind(place.strategiesFolder)]
    const submit = (command: Command) => this.submit(command)
    this.#custom = new CustomHost({ folder: place.strategiesFolder, logger, submit })
  }

  get views(): LiveViews {
    return this.#views
  }

  get pastOrders(): PastOrders {
    this.#pastOrders ??= openPastOrders(this.#options.place.ordersFile)
    return this.#pastOrders
  }

  start(): Promise<void> {
    const { place, seed, startWorker = startDeskWorker } = this.#options
    const worker = startWorker({
      place,
      seed: seed + this.#restarts,
      daily: this.#daily,
      past: this.#past.all(),
    })
    this.#worker = worker
    return new Promise((resolve, reject) => {
      worker.on('message', (message: FromDesk) => {
        this.#hear(message)
        if (message.kind === 'ready') resolve()
      })
      worker.on('error', (fault: Error) => {
        this.#options.logger.error({ event: 'engine.died', err: fault })
        reject(fault)
      })
      worker.on('exit', () => {
        reject(new Fault('desk.halted', 'the engine ended while it started'))
        this.#mourn(worker)
      })
    })
  }

  warm(daily: readonly BarColumns[]): void {
    this.#daily = daily
    this.#tell({ kind: 'warm', daily })
  }

  prime(bars: readonly BarColumns[]): void {
    this.#past.add(bars)
    this.#tell({ kind: 'prime', bars })
  }

  onMinutes(hear: (minutes: readonly MinuteBar[]) => void): void {
    this.#hearMinutes = hear
  }

  submit(command: Command, asker: Asker = { by: 'server' }): Promise<Outcome> {
    if (this.#worker === undefined) {
      return Promise.resolve({ ok: false, reason: { code: 'desk.halted', why: RESTARTING } })
    }
    return new Promise((resolve, reject) => {
      const id = this.#pending.put({ resolve, reject })
      this.#outgoing.add({ id, command, asker })
    })
  }

  async *entriesAfter(after: Seq): AsyncIterable<JournalEntry> {
    let last = after
    while (!this.#isClosing) {
      for await (const entry of this.#read(last)) {
        yield entry
        last = entry.seq
      }
      if (this.#views.seq <= last) await this.changed()
    }
  }

  changed(): Promise<void> {
    return new Promise((resolve) => this.#listeners.push(resolve))
  }

  async close(): Promise<void> {
    this.#isClosing = true
    clearTimeout(this.#restart)
    this.#wake()
    const worker = this.#worker
    this.#custom.close()
    if (worker !== undefined) {
      const ended = new Promise((resolve) => worker.once('exit', resolve))
      this.#outgoing.send()
      this.#tell({ kind: 'close' })
      await ended
    }
    this.#reader?.close()
    this.#pastOrders?.close()
  }

  readonly #reactions: Reactions = {
    opened: ({ snapshot }) => {
      this.#views = createViews(this.#instruments, decodeSnapshot(snapshot))
      this.#wake()
    },
    ready: () => {
      this.#hasOpened = true
      this.#halt(null)
    },
    happened: ({ entries: text, answers }) => {
      const entries = decodeEntries(text)
      for (const entry of entries) this.#take(entry)
      for (const answer of readAnswers(answers)) this.#settle(answer, entries)
      this.#custom.follow(entries)
      this.#wake()
    },
    soft: ({ soft }) => {
      this.#restarts = 0
      this.#views.refresh(soft)
    },
    custom: ({ told }) => this.#custom.hear(told),
    minutes: ({ minutes }) => this.#hearMinutes(minutes),
    halted: ({ because }) => {
      if (because === null) this.#options.logger.warn({ event: 'desk.resumed' })
      else if (because !== this.haltedBecause) this.#options.logger.warn({ event: 'desk.halted', because })
      this.#halt(because)
    },
    noted: ({ event, message }) => this.#options.logger.warn({ event, message }),
    closed: () => {},
  }

  #take(entry: JournalEntry): void {
    this.#views.apply(entry)
    for (const event of entry.events) {
      if (event.type !== 'StrategyFailed') continue
      this.#options.logger.warn({ event: 'strategy.failed', strategy: event.strategy, reason: event.reason })
    }
  }

  #hear(message: FromDesk): void {
    // The table's entry for a kind takes exactly that kind's message.
    const react = this.#reactions[message.kind] as (message: FromDesk) => void
    react(message)
  }

  #settle(answer: Answer, entries: readonly JournalEntry[]): void {
    const pending = this.#pending.take(answer.id)
    if ('outcome' in answer) pending?.resolve(withEntry(answer.outcome, entries))
    else pending?.reject(new Fault('journal.append-failed', answer.failure))
  }

  #read(after: Seq): AsyncIterable<JournalEntry> {
    const { journalFile: file, archiveFolder } = this.#options.place
    this.#reader ??= openJournalReader({ file, archiveFolder })
    return this.#reader.entriesAfter(after)
  }

  /** What was under way when the thread died may or may not be in the journal: only asking again can tell. */
  #mourn(worker: Worker): void {
    if (this.#worker !== worker) return
    this.#worker = undefined
    this.#outgoing.clear()
    for (const { reject } of this.#pending.takeAll()) reject(new Fault('journal.append-failed', UNKNOWN))
    this.#custom.endAll()
    if (this.#isClosing || !this.#hasOpened) return
    this.#halt(RESTARTING)
    const delayMs = RESTART_DELAYS_MS[Math.min(this.#restarts++, RESTART_DELAYS_MS.length - 1)]
    this.#restart = setTimeout(() => this.start().catch(() => {}), delayMs)
  }

  #halt(because: string | null): void {
    this.haltedBecause = because
    this.#views.halt(because)
  }

  #tell(message: ToDesk): void {
    this.#worker?.postMessage(message)
  }

  #wake(): void {
    for (const listener of this.#listeners.splice(0)) listener()
  }
}

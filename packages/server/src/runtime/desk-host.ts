import { Worker } from 'node:worker_threads'
import {
  type Asker,
  type Command,
  createHardState,
  createViews,
  type Desk,
  decodeSnapshot,
  Fault,
  type JournalEntry,
  type LiveViews,
  type Outcome,
  type Seq,
  seq,
  standardInstruments,
} from '@binnacle/engine'
import type { FastifyBaseLogger } from 'fastify'
import type { JournalReader } from '#storage/journal/journal-store.ts'
import type { DeskWorkerOptions, FromDesk, ToDesk } from './desk-protocol.ts'

/** The desk as the API's thread has it: views mirrored here, commands sent across. */
export interface DeskHost extends Desk {
  /** Why trading stopped by itself, or null: the disk fails, or the engine's thread is down. */
  readonly haltedBecause: string | null
  close(): Promise<void>
}

export interface DeskHostOptions extends DeskWorkerOptions {
  /** Called once the journal is there. */
  openReader: () => JournalReader
  logger: FastifyBaseLogger
}

/** Starts the engine's thread and resolves when what the journal says is on the screens' side. */
export async function startDeskHost(options: DeskHostOptions): Promise<DeskHost> {
  const host = new WorkerDeskHost(options)
  await host.start()
  return host
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

class WorkerDeskHost implements DeskHost {
  readonly #options: DeskHostOptions
  readonly #instruments = standardInstruments()
  readonly #pending = new Map<number, Pending>()
  #listeners: (() => void)[] = []
  #views: LiveViews = createViews(this.#instruments, createHardState())
  #worker: Worker | undefined
  #reader: JournalReader | undefined
  #nextId = 1
  #restarts = 0
  #isClosing = false
  /** A first start that fails is the caller's to tell; only a desk that ran is started again by itself. */
  #hasOpened = false
  haltedBecause: string | null = null

  constructor(options: DeskHostOptions) {
    this.#options = options
  }

  get views(): LiveViews {
    return this.#views
  }

  start(): Promise<void> {
    const { journalFile, marketFile, seed } = this.#options
    const workerData: DeskWorkerOptions = { journalFile, marketFile, seed: seed + this.#restarts }
    const worker = new Worker(new URL('./desk-worker.ts', import.meta.url), { workerData })
    this.#worker = worker
    return new Promise((resolve, reject) => {
      worker.on('message', (message: FromDesk) => {
        this.#hear(message)
        if (message.kind !== 'opened') return
        this.#hasOpened = true
        resolve()
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

  submit(command: Command, asker: Asker = { by: 'server' }): Promise<Outcome> {
    if (this.#worker === undefined) {
      return Promise.resolve({ ok: false, reason: { code: 'desk.halted', why: RESTARTING } })
    }
    const id = this.#nextId++
    return new Promise((resolve, reject) => {
      this.#pending.set(id, { resolve, reject })
      this.#tell({ kind: 'submit', id, command, asker })
    })
  }

  async *entriesAfter(after: Seq): AsyncIterable<JournalEntry> {
    let last = after
    while (!this.#isClosing) {
      for (const entry of this.#read(last)) {
        yield entry
        last = entry.seq
      }
      if (this.#views.seq <= last) await new Promise<void>((resolve) => this.#listeners.push(resolve))
    }
  }

  async close(): Promise<void> {
    this.#isClosing = true
    this.#wake()
    const worker = this.#worker
    if (worker === undefined) return
    const ended = new Promise((resolve) => worker.once('exit', resolve))
    this.#tell({ kind: 'close' })
    await ended
    this.#reader?.close()
  }

  readonly #reactions: Reactions = {
    opened: ({ snapshot }) => {
      this.#views = createViews(this.#instruments, decodeSnapshot({ ...snapshot, seq: seq(snapshot.seq) }))
      this.haltedBecause = null
      this.#wake()
    },
    entries: ({ entries }) => {
      for (const entry of entries) this.#views.apply(entry)
      this.#wake()
    },
    soft: ({ soft }) => {
      this.#restarts = 0
      this.#views.refresh(soft)
    },
    answered: ({ id, outcome }) => this.#take(id)?.resolve(outcome),
    failed: ({ id, message }) => this.#take(id)?.reject(new Fault('journal.append-failed', message)),
    halted: ({ because }) => {
      this.haltedBecause = because
      this.#options.logger.warn({ event: 'desk.halted', because })
    },
    closed: () => {},
  }

  #read(after: Seq): Iterable<JournalEntry> {
    this.#reader ??= this.#options.openReader()
    return this.#reader.entriesAfter(after)
  }

  #hear(message: FromDesk): void {
    // The table's entry for a kind takes exactly that kind's message.
    const react = this.#reactions[message.kind] as (message: FromDesk) => void
    react(message)
  }

  /** What was under way when the thread died may or may not be in the journal: only asking again can tell. */
  #mourn(worker: Worker): void {
    if (this.#worker !== worker) return
    this.#worker = undefined
    for (const { reject } of this.#pending.values()) {
      reject(new Fault('journal.append-failed', 'unknown: retry with the same key'))
    }
    this.#pending.clear()
    if (this.#isClosing || !this.#hasOpened) return
    this.haltedBecause = RESTARTING
    const delayMs = RESTART_DELAYS_MS[Math.min(this.#restarts++, RESTART_DELAYS_MS.length - 1)]
    setTimeout(() => this.start().catch(() => {}), delayMs)
  }

  #take(id: number): Pending | undefined {
    const pending = this.#pending.get(id)
    this.#pending.delete(id)
    return pending
  }

  #tell(message: ToDesk): void {
    this.#worker?.postMessage(message)
  }

  #wake(): void {
    for (const listener of this.#listeners.splice(0)) listener()
  }
}

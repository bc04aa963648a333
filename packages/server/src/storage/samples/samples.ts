import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { StartRefusal } from '#config/start-refusal.ts'
import type {
  SampleBatch,
  SampleCoverage,
  SampleMark,
  SamplePoint,
  SampleRange,
  SamplesStore,
} from './samples-store.ts'

export interface SampleQuery {
  readonly series: readonly string[]
  readonly range: SampleRange
  readonly maxMarks: number
}

export interface SampleReply {
  readonly points: ReadonlyMap<string, readonly SamplePoint[]>
  /** The last sample of each series before the range, if there is one. */
  readonly before: ReadonlyMap<string, { at: number; value: number }>
  readonly marks: readonly SampleMark[]
}

/** The samples as the API thread uses them. */
export interface Samples {
  /** The second of the newest sample and the notes, as they were at the start. */
  readonly atStart: SamplesAtStart
  add(batch: SampleBatch): Promise<void>
  query(query: SampleQuery): Promise<SampleReply>
  /** See SamplesStore. */
  coverage(series: string, from: number): Promise<SampleCoverage>
  close(): Promise<void>
}

export interface SamplesAtStart {
  readonly lastAt: number | undefined
  readonly notes: ReadonlyMap<string, string>
}

/** The samples in the calling thread. */
export function createSamples(store: SamplesStore): Samples {
  return {
    atStart: { lastAt: store.lastAt(), notes: store.notes() },
    add: async (batch) => store.add(batch),
    async query({ series, range, maxMarks }) {
      const before = series.map((name) => [name, store.lastBefore(name, range.from)] as const)
      return {
        points: store.read(series, range),
        before: new Map(before.flatMap(([name, found]) => (found === undefined ? [] : [[name, found]]))),
        marks: store.marks(range.from, range.to, maxMarks),
      }
    },
    coverage: async (series, from) => store.coverage(series, from),
    close: async () => store.close(),
  }
}

/** Messages to the thread; each is answered once. */
export type SamplesRequest = { id: number } & (
  | { kind: 'add'; batch: SampleBatch }
  | { kind: 'query'; query: SampleQuery }
  | { kind: 'coverage'; series: string; from: number }
  | { kind: 'close' }
)
export type SamplesAnswer =
  | { kind: 'opened'; atStart: SamplesAtStart; damage: string | undefined }
  | { kind: 'refused'; message: string }
  | { kind: 'done'; id: number; reply?: SamplesReply | undefined }
  | { kind: 'failed'; id: number; message: string }

type SamplesReply = SampleReply | SampleCoverage

/** Opens the samples in a thread of their own, so that neither reads nor checkpoints delay an order. */
export async function openSamples(
  file: string,
  onDamage: (message: string) => void = () => {},
  options: SamplesThreadOptions = {},
): Promise<Samples> {
  const { startWorker = startSamplesThread } = options
  const open = async () => {
    const worker = startWorker(file)
    const [first] = await once(worker, 'message')
    // The thread answers with nothing else.
    const opened = first as SamplesAnswer
    if (opened.kind === 'refused') throw new StartRefusal(opened.message)
    if (opened.kind !== 'opened')
      throw new Error(`The samples answered '${opened.kind}' before they were open`)
    if (opened.damage !== undefined) onDamage(opened.damage)
    return { worker, atStart: opened.atStart }
  }
  return new SamplesThread(await open(), open, options)
}

export interface SamplesThreadOptions {
  /** Called with why the thread ended. */
  onFault?: (fault: unknown) => void
  /** Tests replace it to end the thread. */
  startWorker?: (file: string) => Worker
}

function startSamplesThread(file: string): Worker {
  return new Worker(new URL('./samples.worker.ts', import.meta.url), { workerData: file, name: 'samples' })
}

const RESTART_DELAYS_MS = [0, 1_000, 10_000, 60_000]

interface OpenedThread {
  worker: Worker
  atStart: SamplesAtStart
}

interface Pending {
  resolve: (reply: SamplesReply | undefined) => void
  reject: (fault: Error) => void
}

class SamplesThread implements Samples {
  readonly atStart: SamplesAtStart
  readonly #open: () => Promise<OpenedThread>
  readonly #onFault: (fault: unknown) => void
  /** Undefined while it is being restarted. */
  #worker: Worker | undefined
  #restarts = 0
  #restart: NodeJS.Timeout | undefined
  #isClosing = false
  readonly #pending = new Map<number, Pending>()
  #lastId = 0

  constructor(
    opened: OpenedThread,
    open: () => Promise<OpenedThread>,
    { onFault = () => {} }: SamplesThreadOptions,
  ) {
    this.atStart = opened.atStart
    this.#open = open
    this.#onFault = onFault
    this.#follow(opened)
  }

  #follow({ worker }: OpenedThread): void {
    this.#worker = worker
    worker.on('message', (answer: SamplesAnswer) => {
      this.#restarts = 0
      this.#settle(answer)
    })
    // The exit follows.
    worker.on('error', this.#onFault)
    worker.on('exit', () => {
      this.#worker = undefined
      for (const { reject } of this.#pending.values()) reject(new Error(ENDED))
      this.#pending.clear()
      if (!this.#isClosing) this.#scheduleRestart()
    })
  }

  #scheduleRestart(): void {
    const delayMs = RESTART_DELAYS_MS[Math.min(this.#restarts++, RESTART_DELAYS_MS.length - 1)]
    this.#restart = setTimeout(async () => {
      try {
        const opened = await this.#open()
        if (this.#isClosing) await opened.worker.terminate()
        else this.#follow(opened)
      } catch (fault) {
        this.#onFault(fault)
        if (!this.#isClosing) this.#scheduleRestart()
      }
    }, delayMs).unref()
  }

  async add(batch: SampleBatch): Promise<void> {
    await this.#send((id) => ({ kind: 'add', id, batch }))
  }

  async query(query: SampleQuery): Promise<SampleReply> {
    // The thread answers each kind with its own reply.
    return (await this.#send((id) => ({ kind: 'query', id, query }))) as SampleReply
  }

  async coverage(series: string, from: number): Promise<SampleCoverage> {
    // As above.
    return (await this.#send((id) => ({ kind: 'coverage', id, series, from }))) as SampleCoverage
  }

  async close(): Promise<void> {
    this.#isClosing = true
    clearTimeout(this.#restart)
    if (this.#worker === undefined) return
    const exited = once(this.#worker, 'exit')
    await this.#send((id) => ({ kind: 'close', id }))
    await exited
  }

  #send(requestOf: (id: number) => SamplesRequest): Promise<SamplesReply | undefined> {
    const worker = this.#worker
    if (worker === undefined) return Promise.reject(new Error(ENDED))
    this.#lastId += 1
    const id = this.#lastId
    return new Promise((resolve, reject) => {
      this.#pending.set(id, { resolve, reject })
      worker.postMessage(requestOf(id))
    })
  }

  #settle(answer: SamplesAnswer): void {
    if (answer.kind !== 'done' && answer.kind !== 'failed') return
    const pending = this.#pending.get(answer.id)
    this.#pending.delete(answer.id)
    if (answer.kind === 'done') pending?.resolve(answer.reply)
    else pending?.reject(new Error(answer.message))
  }
}

const ENDED = 'The thread of the samples has ended. It is started again.'

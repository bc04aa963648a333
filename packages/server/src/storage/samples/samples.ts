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
export async function openSamples(file: string, onDamage?: (message: string) => void): Promise<Samples> {
  const worker = new Worker(new URL('./samples.worker.ts', import.meta.url), {
    workerData: file,
    name: 'samples',
  })
  const [first] = await once(worker, 'message')
  // The thread answers with nothing else.
  const opened = first as SamplesAnswer
  if (opened.kind === 'refused') throw new StartRefusal(opened.message)
  if (opened.kind !== 'opened') throw new Error(`The samples answered '${opened.kind}' before they were open`)
  if (opened.damage !== undefined) onDamage?.(opened.damage)
  return new SamplesThread(worker, opened.atStart)
}

interface Pending {
  resolve: (reply: SamplesReply | undefined) => void
  reject: (fault: Error) => void
}

class SamplesThread implements Samples {
  readonly atStart: SamplesAtStart
  readonly #worker: Worker
  readonly #pending = new Map<number, Pending>()
  #lastId = 0
  #hasEnded = false

  constructor(worker: Worker, atStart: SamplesAtStart) {
    this.atStart = atStart
    this.#worker = worker
    worker.on('message', (answer: SamplesAnswer) => this.#settle(answer))
    // The exit follows and rejects what is pending.
    worker.on('error', () => {})
    worker.on('exit', () => {
      this.#hasEnded = true
      for (const { reject } of this.#pending.values()) reject(new Error(ENDED))
      this.#pending.clear()
    })
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
    if (this.#hasEnded) return
    const exited = once(this.#worker, 'exit')
    await this.#send((id) => ({ kind: 'close', id }))
    await exited
  }

  #send(requestOf: (id: number) => SamplesRequest): Promise<SamplesReply | undefined> {
    if (this.#hasEnded) return Promise.reject(new Error(ENDED))
    this.#lastId += 1
    const id = this.#lastId
    return new Promise((resolve, reject) => {
      this.#pending.set(id, { resolve, reject })
      this.#worker.postMessage(requestOf(id))
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

const ENDED = 'The thread of the samples has ended. Restart the server to record them again.'

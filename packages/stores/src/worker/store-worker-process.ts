import { type ChildProcess, fork } from 'node:child_process'
import type { BeforeWrite, Confirmation } from '#driver.ts'
import { StoreRefusal } from '#store-refusal.ts'
import { childEnvironment } from './child-environment.ts'
import type {
  StoreWorkerCall,
  StoreWorkerConfig,
  StoreWorkerMessage,
  StoreWorkerReply,
} from './store-worker.ts'
import { HEAP_MIB, MAX_WORKER_MEMORY_BYTES, OUT_OF_MEMORY_SIGNAL } from './worker-limits.ts'

const MAIN = new URL('../store-worker-main.ts', import.meta.url)

/** Time a worker gets to cancel its statement on a server before it is killed. */
const CANCEL_GRACE_MS = 1_000

/** One worker process. It handles one call at a time. */
export interface StoreWorkerProcess {
  /** Rejects with the signal's reason when it is aborted and the statement has been stopped. */
  call(request: StoreWorkerCall, signal: AbortSignal, beforeWrite?: BeforeWrite): Promise<unknown>
  readonly isAlive: boolean
  /** What the process held after its last call, in bytes. */
  readonly memory: number
  /** A pending call rejects with the reason. */
  kill(reason?: StoreRefusal): void
}

export function startStoreWorkerProcess(config: StoreWorkerConfig): StoreWorkerProcess {
  const child = fork(MAIN, [], {
    serialization: 'advanced',
    execArgv: [`--max-old-space-size=${HEAP_MIB}`],
    env: childEnvironment(),
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  })
  // A statement on a server does not end with the worker, so the worker cancels it.
  const worker = new ForkedWorker(child, { canCancel: config.kind === 'postgresql' })
  child.send({ open: config } satisfies StoreWorkerMessage)
  return worker
}

class ForkedWorker implements StoreWorkerProcess {
  readonly #child: ChildProcess
  readonly #canCancel: boolean
  #pending: PromiseWithResolvers<unknown> | undefined
  #beforeWrite: BeforeWrite | undefined
  #isAlive = true
  #memory = 0

  constructor(child: ChildProcess, { canCancel }: { canCancel: boolean }) {
    this.#child = child
    this.#canCancel = canCancel
    child.on('message', (reply: StoreWorkerReply) => this.#onReply(reply))
    child.on('exit', (code, signal) => this.#markDead(exitRefusal(code, signal)))
    child.on('error', () => this.#markDead(NOT_STARTED))
    // An idle worker must not keep the server from exiting.
    child.unref()
    child.channel?.unref()
  }

  get isAlive(): boolean {
    return this.#isAlive
  }

  get memory(): number {
    return this.#memory
  }

  async call(request: StoreWorkerCall, signal: AbortSignal, beforeWrite?: BeforeWrite): Promise<unknown> {
    signal.throwIfAborted()
    if (!this.#isAlive) throw STOPPED
    const pending = Promise.withResolvers<unknown>()
    this.#pending = pending
    this.#beforeWrite = beforeWrite
    const onAbort = () => this.#abortCall(pending, signal.reason)
    signal.addEventListener('abort', onAbort, { once: true })
    this.#child.channel?.ref()
    this.#send({ call: request })
    return pending.promise.finally(() => {
      signal.removeEventListener('abort', onAbort)
      this.#pending = undefined
      this.#child.channel?.unref()
    })
  }

  kill(reason: StoreRefusal = STOPPED): void {
    this.#isAlive = false
    const isBusy = this.#pending !== undefined
    this.#pending?.reject(reason)
    if (isBusy && this.#canCancel) this.#cancelThenKill()
    else this.#child.kill('SIGKILL')
  }

  /** Whatever the worker replies now, the call rejects with the reason. */
  #abortCall({ promise, reject }: PromiseWithResolvers<unknown>, reason: unknown): void {
    const rejectWithReason = () => reject(reason)
    if (this.#pending !== undefined) {
      this.#pending = { ...this.#pending, resolve: rejectWithReason, reject: rejectWithReason }
    }
    // A later call of the same process is not the one that was to stop.
    if (this.#canCancel) this.#cancelThenKill(() => this.#pending?.promise === promise)
    else this.kill()
  }

  #cancelThenKill(isStillBusy = () => true): void {
    this.#send({ cancel: true })
    const timer = setTimeout(() => {
      if (!isStillBusy()) return
      this.#markDead(STOPPED)
      this.#child.kill('SIGKILL')
    }, CANCEL_GRACE_MS)
    timer.unref()
  }

  #onReply(reply: StoreWorkerReply): void {
    if ('beforeWrite' in reply) {
      void this.#answerBeforeWrite(reply.beforeWrite)
      return
    }
    this.#memory = reply.memory
    if ('value' in reply) this.#pending?.resolve(reply.value)
    else if ('fault' in reply) this.#pending?.reject(new Error(reply.fault))
    else {
      const { code, detail, errors, step } = reply.refusal
      this.#pending?.reject(new StoreRefusal(code, detail, errors, step))
    }
  }

  /** The worker undoes a refused write. The call then rejects with the reason, not with the worker's reply. */
  async #answerBeforeWrite(confirm: Confirmation | undefined): Promise<void> {
    const pending = this.#pending
    try {
      await this.#beforeWrite?.(confirm)
      this.#send({ write: 'approved' })
    } catch (reason) {
      if (pending !== undefined) this.#pending = { ...pending, reject: () => pending.reject(reason) }
      this.#send({ write: 'refused' })
    }
  }

  #send(message: StoreWorkerMessage): void {
    if (this.#child.connected) this.#child.send(message)
  }

  #markDead(reason: StoreRefusal): void {
    this.#isAlive = false
    this.#pending?.reject(reason)
  }
}

const STOPPED = refusal('The process that ran the statement was stopped.')
const NOT_STARTED = refusal('The process for the statement could not be started.')

/** Describes an unexpected exit. */
function exitRefusal(code: number | null, signal: NodeJS.Signals | null): StoreRefusal {
  if (signal === OUT_OF_MEMORY_SIGNAL) {
    const limit = MAX_WORKER_MEMORY_BYTES / 1024 / 1024
    return refusal(`The statement needed more than ${limit} MiB of memory and was ended. ${READ_LESS}`)
  }
  if (signal === 'SIGABRT') return refusal(`The statement ran out of memory. ${READ_LESS}`)
  if (signal === 'SIGKILL') {
    return refusal(
      'The process that ran the statement was killed by the operating system, probably for lack of memory.',
    )
  }
  return refusal(`The process that ran the statement ended unexpectedly (${signal ?? `exit code ${code}`}).`)
}

const READ_LESS = 'Read fewer rows or columns at a time.'

function refusal(sentence: string): StoreRefusal {
  return new StoreRefusal('store.refused', sentence)
}

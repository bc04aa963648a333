import { type ChildProcess, fork } from 'node:child_process'
import type { Admit, Confirmation } from '#driver.ts'
import { StoreRefusal } from '#store-refusal.ts'
import type { StoreWorkerCall, StoreWorkerReply, StoreWorkerTarget } from './store-worker.ts'

const MAIN = new URL('../store-worker-main.ts', import.meta.url)

/** JavaScript heap limit of a worker. Results are capped far below it. */
const HEAP_MIB = 256

/** One worker process. It handles one call at a time. */
export interface StoreWorkerProcess {
  /** Rejects with the signal's reason as soon as it is aborted; the process is then killed. */
  call(request: StoreWorkerCall, signal: AbortSignal, admit?: Admit): Promise<unknown>
  readonly isAlive: boolean
  /** A pending call rejects with the reason. */
  kill(reason?: StoreRefusal): void
}

export function startStoreWorkerProcess(target: StoreWorkerTarget): StoreWorkerProcess {
  const child = fork(MAIN, [JSON.stringify(target)], {
    serialization: 'advanced',
    execArgv: [`--max-old-space-size=${HEAP_MIB}`],
    // The environment may hold secrets, so the worker gets none of it.
    env: {},
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  })
  return new ForkedWorker(child)
}

class ForkedWorker implements StoreWorkerProcess {
  readonly #child: ChildProcess
  #pending: PromiseWithResolvers<unknown> | undefined
  #admit: Admit | undefined
  #isAlive = true

  constructor(child: ChildProcess) {
    this.#child = child
    child.on('message', (reply: StoreWorkerReply) => this.#settle(reply))
    child.on('exit', () => this.#end())
    child.on('error', () => this.#end())
    // An idle worker must not keep the server from exiting.
    child.unref()
    child.channel?.unref()
  }

  get isAlive(): boolean {
    return this.#isAlive
  }

  async call(request: StoreWorkerCall, signal: AbortSignal, admit?: Admit): Promise<unknown> {
    signal.throwIfAborted()
    if (!this.#isAlive) throw WORKER_EXITED
    const pending = Promise.withResolvers<unknown>()
    this.#pending = pending
    this.#admit = admit
    const stop = () => {
      pending.reject(signal.reason)
      this.kill()
    }
    signal.addEventListener('abort', stop, { once: true })
    this.#child.channel?.ref()
    this.#child.send(request)
    return pending.promise.finally(() => {
      signal.removeEventListener('abort', stop)
      this.#child.channel?.unref()
    })
  }

  kill(reason: StoreRefusal = WORKER_EXITED): void {
    this.#isAlive = false
    this.#pending?.reject(reason)
    this.#child.kill('SIGKILL')
  }

  #settle(reply: StoreWorkerReply): void {
    if ('admit' in reply) void this.#answerAdmission(reply.admit)
    else if ('value' in reply) this.#pending?.resolve(reply.value)
    else if ('fault' in reply) this.#pending?.reject(new Error(reply.fault))
    else {
      const { code, detail, errors } = reply.refusal
      this.#pending?.reject(new StoreRefusal(code, detail, errors))
    }
  }

  /** The worker undoes a write that is not admitted. The call then rejects with the reason, not with the worker's reply. */
  async #answerAdmission(confirm: Confirmation | undefined): Promise<void> {
    const pending = this.#pending
    const answer = (isAdmitted: boolean) => this.#isAlive && this.#child.send({ isAdmitted })
    try {
      await this.#admit?.(confirm)
      answer(true)
    } catch (reason) {
      if (pending !== undefined) this.#pending = { ...pending, reject: () => pending.reject(reason) }
      answer(false)
    }
  }

  #end(): void {
    this.#isAlive = false
    this.#pending?.reject(WORKER_EXITED)
  }
}

const WORKER_EXITED = new StoreRefusal(
  'store.refused',
  'The process that ran the statement exited, most likely out of memory. Read fewer rows or columns at a time.',
)

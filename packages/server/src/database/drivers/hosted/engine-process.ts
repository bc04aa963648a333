import { type ChildProcess, fork } from 'node:child_process'
import { StoreRefusal } from '#database/drivers/store-refusal.ts'
import type { EngineAnswer, EngineCall, EnginePlace } from './engine.ts'

const RUNNER = new URL('./engine-runner.ts', import.meta.url)

/** What a statement may make of JavaScript's memory in its process; results are capped far below. */
const HEAP_MIB = 256

/** One process that plays a store. It does one thing at a time. */
export interface EngineProcess {
  /** Rejects with the signal's reason as soon as it is aborted; the process is then dead. */
  ask(call: EngineCall, signal: AbortSignal): Promise<unknown>
  readonly isAlive: boolean
  /** What is under way then fails for this reason. */
  kill(reason?: StoreRefusal): void
}

export function startEngineProcess(place: EnginePlace): EngineProcess {
  const child = fork(RUNNER, [JSON.stringify(place)], {
    serialization: 'advanced',
    execArgv: [`--max-old-space-size=${HEAP_MIB}`],
    // Nothing of our environment: it may hold secrets, and a statement has no business with it.
    env: {},
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  })
  return new ForkedEngine(child)
}

class ForkedEngine implements EngineProcess {
  readonly #child: ChildProcess
  #pending: PromiseWithResolvers<unknown> | undefined
  #isAlive = true

  constructor(child: ChildProcess) {
    this.#child = child
    child.on('message', (answer: EngineAnswer) => this.#settle(answer))
    child.on('exit', () => this.#end())
    child.on('error', () => this.#end())
    // A warm process keeps no server from closing.
    child.unref()
    child.channel?.unref()
  }

  get isAlive(): boolean {
    return this.#isAlive
  }

  async ask(call: EngineCall, signal: AbortSignal): Promise<unknown> {
    signal.throwIfAborted()
    if (!this.#isAlive) throw DIED
    const pending = Promise.withResolvers<unknown>()
    this.#pending = pending
    const stop = () => {
      pending.reject(signal.reason)
      this.kill()
    }
    signal.addEventListener('abort', stop, { once: true })
    this.#child.channel?.ref()
    this.#child.send(call)
    return pending.promise.finally(() => {
      signal.removeEventListener('abort', stop)
      this.#child.channel?.unref()
    })
  }

  kill(reason: StoreRefusal = DIED): void {
    this.#isAlive = false
    this.#pending?.reject(reason)
    this.#child.kill('SIGKILL')
  }

  #settle(answer: EngineAnswer): void {
    if ('value' in answer) this.#pending?.resolve(answer.value)
    else if ('fault' in answer) this.#pending?.reject(new Error(answer.fault))
    else {
      const { code, detail, errors } = answer.refusal
      this.#pending?.reject(new StoreRefusal(code, detail, errors))
    }
  }

  #end(): void {
    this.#isAlive = false
    this.#pending?.reject(DIED)
  }
}

const DIED = new StoreRefusal(
  'store.refused',
  'The process that ran the statement ended, most likely for want of memory. Ask for less at once.',
)

import { StoreRefusal } from '#database/drivers/store-refusal.ts'
import type { EnginePlace } from './engine.ts'
import { type EngineProcess, startEngineProcess } from './engine-process.ts'

/** How many statements of one connection run at once; more wait for their turn. */
const MOST_PROCESSES = 3

/** How long a process without work is kept warm. */
const WARM_MS = 60_000

/** A process for one caller, until it is given back. */
export interface EngineLease extends Pick<EngineProcess, 'ask' | 'kill'> {
  giveBack(): void
}

export interface EnginePool {
  take(signal: AbortSignal): Promise<EngineLease>
  /** Kills what is there; the pool goes on with new processes when it is asked again. */
  close(): void
}

export function createEnginePool(place: () => EnginePlace): EnginePool {
  return new WarmPool(place)
}

const CLOSED = new StoreRefusal(
  'statement.cancelled',
  'The connection was closed or changed meanwhile, so the statement was stopped.',
)

class WarmPool implements EnginePool {
  readonly #place: () => EnginePlace
  readonly #busy = new Set<EngineProcess>()
  readonly #idle = new Map<EngineProcess, NodeJS.Timeout>()
  readonly #waiting: (() => void)[] = []
  /** What each process was started on: a file may since have made way for another of its name. */
  readonly #names = new WeakMap<EngineProcess, string>()

  constructor(place: () => EnginePlace) {
    this.#place = place
  }

  async take(signal: AbortSignal): Promise<EngineLease> {
    while (this.#busy.size >= MOST_PROCESSES) await this.#turn(signal)
    signal.throwIfAborted()
    const place = this.#place()
    const name = JSON.stringify(place)
    const process = this.#warm(name) ?? startEngineProcess(place)
    this.#names.set(process, name)
    this.#busy.add(process)
    let isOurs = true
    return {
      ask: (call, at) => process.ask(call, at),
      // After it was given back it may be somebody else's.
      kill: () => isOurs && process.kill(),
      giveBack: () => {
        if (isOurs) this.#giveBack(process)
        isOurs = false
      },
    }
  }

  close(): void {
    for (const process of [...this.#busy, ...this.#idle.keys()]) process.kill(CLOSED)
    for (const timer of this.#idle.values()) clearTimeout(timer)
    this.#idle.clear()
  }

  #warm(name: string): EngineProcess | undefined {
    for (const [process, timer] of this.#idle) {
      clearTimeout(timer)
      this.#idle.delete(process)
      if (process.isAlive && this.#names.get(process) === name) return process
      process.kill()
    }
    return undefined
  }

  #giveBack(process: EngineProcess): void {
    this.#busy.delete(process)
    if (process.isAlive) {
      const timer = setTimeout(() => {
        this.#idle.delete(process)
        process.kill()
      }, WARM_MS)
      this.#idle.set(process, timer.unref())
    }
    this.#waiting.shift()?.()
  }

  #turn(signal: AbortSignal): Promise<void> {
    signal.throwIfAborted()
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const giveUp = () => {
      this.#waiting.splice(this.#waiting.indexOf(resolve), 1)
      reject(signal.reason)
    }
    this.#waiting.push(resolve)
    signal.addEventListener('abort', giveUp, { once: true })
    return promise.finally(() => signal.removeEventListener('abort', giveUp))
  }
}

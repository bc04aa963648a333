import { Refused } from '#http/problems.ts'

/** Backtests and sweeps that may be queued or running at a time. */
const MAX_QUEUED = 200
const MAX_SWEEPS = 20

export interface QueueLimits {
  max?: number
  maxSweeps?: number
}

/** BT-140: counts what is queued and running, each from before its record is stored until it has ended. */
export class QueueLimit {
  readonly #max: number
  readonly #maxSweeps: number
  #backtests = 0
  #sweeps = 0

  constructor({ max = MAX_QUEUED, maxSweeps = MAX_SWEEPS }: QueueLimits = {}) {
    this.#max = max
    this.#maxSweeps = maxSweeps
  }

  /** Returns what counts it as ended, or the refusal. */
  takeBacktest(): (() => void) | Refused {
    if (this.#isFull()) return this.#full()
    this.#backtests += 1
    return once(() => {
      this.#backtests -= 1
    })
  }

  takeSweep(): (() => void) | Refused {
    if (this.#isFull()) return this.#full()
    if (this.#sweeps >= this.#maxSweeps) return full(`${this.#sweeps} sweeps`)
    this.#sweeps += 1
    return once(() => {
      this.#sweeps -= 1
    })
  }

  #isFull(): boolean {
    return this.#backtests + this.#sweeps >= this.#max
  }

  #full(): Refused {
    const backtests = `${this.#backtests} ${this.#backtests === 1 ? 'backtest' : 'backtests'}`
    if (this.#sweeps === 0) return full(backtests)
    return full(`${backtests} and ${this.#sweeps} ${this.#sweeps === 1 ? 'sweep' : 'sweeps'}`)
  }
}

function full(what: string): Refused {
  return new Refused(
    'backtest.queue-full',
    `${what} are queued or running, and no more can be. Cancel some, or wait until some have ended.`,
  )
}

function once(act: () => void): () => void {
  let isDone = false
  return () => {
    if (!isDone) act()
    isDone = true
  }
}

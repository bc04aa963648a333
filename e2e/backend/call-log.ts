import { EventEmitter, once } from 'node:events'
import type { IncomingHttpHeaders } from 'node:http'
import { type CallPattern, matchCall } from './call-pattern.ts'

export interface Call {
  method: string
  /** As it was sent, still percent-encoded. */
  path: string
  /** As it was sent, with its question mark, or empty. */
  search: string
  query: Record<string, string>
  /** Parsed when it is JSON, the text when it is not, undefined when nothing was sent. */
  body: unknown
  headers: IncomingHttpHeaders
  /** Milliseconds since the epoch. */
  at: number
  /** The status answered, or 'cut' for a dropped connection; undefined as long as there is no answer. */
  status: number | 'cut' | undefined
  /** The browser gave up before the answer. */
  abandoned: boolean
  /** The test overrode the reply, so a failure is expected. */
  arranged: boolean
}

export interface CalledOptions {
  times?: number
}

/** As long as any other wait (playwright.config.ts): a busy machine is late with a click too. */
const WAIT_MS = 120_000

/** Every call that reached the backend, in order of arrival. */
export class CallLog {
  readonly #calls: Call[] = []
  readonly #changes = new EventEmitter().setMaxListeners(0)

  add(call: Call): void {
    this.#calls.push(call)
    this.#changes.emit('change')
  }

  /** Wakes waiters; call it after changing a call. */
  changed(): void {
    this.#changes.emit('change')
  }

  matching(pattern: CallPattern): Call[] {
    return this.#calls.filter((call) => matchCall(pattern, call.method, call.path) !== undefined)
  }

  /** Waits until the pattern was called that often, and returns the last of those calls. */
  async called(pattern: CallPattern, { times = 1 }: CalledOptions = {}): Promise<Call> {
    return this.until(
      () => this.matching(pattern)[times - 1],
      () => `${pattern} was called ${this.matching(pattern).length} times, not ${times}`,
    )
  }

  async until<Found>(find: () => Found | undefined, complaint: () => string): Promise<Found> {
    const signal = AbortSignal.timeout(WAIT_MS)
    for (;;) {
      const found = find()
      if (found !== undefined) return found
      await once(this.#changes, 'change', { signal }).catch(() => {
        throw new Error(`${complaint()} within ${WAIT_MS} ms. Calls so far:\n${this.#listing()}`)
      })
    }
  }

  clear(): void {
    this.#calls.length = 0
  }

  #listing(): string {
    return this.#calls.map((call) => `  ${call.method} ${call.path}${call.search}`).join('\n') || '  none'
  }
}

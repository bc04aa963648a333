import type { Submission } from './desk-protocol.ts'

/** So many go over at once: the engine works on them while the rest of the turn's requests are still being read. */
const TOGETHER = 16

/** Gathers commands for the engine's thread, a few to a message: crossing threads costs more than a command does. */
export class SubmissionQueue {
  readonly #post: (submissions: string) => void
  #waiting: Submission[] = []

  constructor(post: (submissions: string) => void) {
    this.#post = post
  }

  /** Takes one in; it leaves by the end of this turn at the latest. */
  add(submission: Submission): void {
    if (this.#waiting.length === 0) setImmediate(() => this.send())
    if (this.#waiting.push(submission) === TOGETHER) this.send()
  }

  send(): void {
    if (this.#waiting.length === 0) return
    this.#post(JSON.stringify(this.#waiting))
    this.#waiting = []
  }

  clear(): void {
    this.#waiting = []
  }
}

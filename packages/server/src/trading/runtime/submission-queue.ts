import type { Submission } from './desk-protocol.ts'

/** Commands per message. The engine starts on a full batch while the rest of the turn's requests are still being parsed. */
const MAX_BATCH = 16

/** Batches commands for the engine thread: a message between threads costs more than a command. */
export class SubmissionQueue {
  readonly #post: (submissions: string) => void
  #waiting: Submission[] = []

  constructor(post: (submissions: string) => void) {
    this.#post = post
  }

  /** Adds a command; it is sent at the end of this turn at the latest. */
  add(submission: Submission): void {
    if (this.#waiting.length === 0) setImmediate(() => this.send())
    if (this.#waiting.push(submission) === MAX_BATCH) this.send()
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

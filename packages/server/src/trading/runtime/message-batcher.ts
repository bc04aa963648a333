import type { Outcome } from '@binnacle/engine'
import type { FromDesk, OutcomeMessage } from './desk-protocol.ts'

/** Collects the entries and answers of one turn of the engine thread into one message, sent before any other message. */
export class MessageBatcher {
  readonly #post: (message: FromDesk) => void
  #entries: string[] = []
  #answers: OutcomeMessage[] = []
  #isDue = false

  constructor(post: (message: FromDesk) => void) {
    this.#post = post
  }

  /** Adds entries as texts for views. */
  addEntries(text: string): void {
    this.#entries.push(text)
    this.#sendSoon()
  }

  answer(id: number, outcome: Outcome): void {
    this.#answers.push({ id, outcome })
    this.#sendSoon()
  }

  fail(id: number, failure: string): void {
    this.#answers.push({ id, failure })
    this.#sendSoon()
  }

  postNow(message: FromDesk): void {
    this.flush()
    this.#post(message)
  }

  /** `nextTick` runs after the callbacks of all settled promises, so one message holds the whole group. */
  #sendSoon(): void {
    if (this.#isDue) return
    this.#isDue = true
    process.nextTick(() => this.flush())
  }

  /** Sends what was collected. */
  flush(): void {
    this.#isDue = false
    if (this.#entries.length === 0 && this.#answers.length === 0) return
    this.#post({
      kind: 'committed',
      entries: this.#entries.join(','),
      answers: JSON.stringify(this.#answers),
    })
    this.#entries = []
    this.#answers = []
  }
}

/** Reads the answers of a message. */
export function readAnswers(text: string): readonly OutcomeMessage[] {
  // Encoded by a batcher from its own types.
  return JSON.parse(text) as OutcomeMessage[]
}

import type { JournalEntry, Outcome } from '@binnacle/engine'
import type { Answer, BareOutcome, FromDesk } from './desk-protocol.ts'

/** Gathers entries and answers of one turn of the engine's thread into one message, before any other message. */
export class Outbox {
  readonly #post: (message: FromDesk) => void
  #entries: string[] = []
  #answers: Answer[] = []
  #isDue = false

  constructor(post: (message: FromDesk) => void) {
    this.#post = post
  }

  /** Takes entries as the journal wrote them. */
  happened(text: string): void {
    this.#entries.push(text)
    this.#sendSoon()
  }

  answer(id: number, outcome: Outcome): void {
    this.#answers.push({ id, outcome: outcome.ok ? withoutEntry(outcome) : outcome })
    this.#sendSoon()
  }

  fail(id: number, failure: string): void {
    this.#answers.push({ id, failure })
    this.#sendSoon()
  }

  tell(message: FromDesk): void {
    this.#send()
    this.#post(message)
  }

  /** Ticks run when every promise that is settled by now has been heard, so one message holds the whole group. */
  #sendSoon(): void {
    if (this.#isDue) return
    this.#isDue = true
    process.nextTick(() => this.#send())
  }

  #send(): void {
    this.#isDue = false
    if (this.#entries.length === 0 && this.#answers.length === 0) return
    this.#post({
      kind: 'happened',
      entries: this.#entries.join(','),
      answers: JSON.stringify(this.#answers),
    })
    this.#entries = []
    this.#answers = []
  }
}

function withoutEntry({ entry, ...outcome }: Extract<Outcome, { ok: true }>) {
  return { ...outcome, entrySeq: entry?.seq ?? null }
}

/** Reads the answers of a message. */
export function readAnswers(text: string): readonly Answer[] {
  // An outbox wrote them, from its own types.
  return JSON.parse(text) as Answer[]
}

/** Puts the entry, which went over with the others, back into its outcome. */
export function withEntry(outcome: BareOutcome, entries: readonly JournalEntry[]): Outcome {
  if (!outcome.ok) return outcome
  const { entrySeq, ...rest } = outcome
  const index = entrySeq === null ? -1 : entrySeq - (entries[0]?.seq ?? 0)
  return { ...rest, entry: entries[index] ?? null }
}

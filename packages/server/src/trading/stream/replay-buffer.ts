import type { OfferedTopic } from './stream-rows.ts'

/** A change that was published, as the frame that all clients get. */
export interface PublishedChange {
  readonly seq: number
  readonly topic: OfferedTopic
  readonly frame: Buffer
}

const MAX_CHANGES = 5_000
const MAX_BYTES = 4 * 1024 * 1024

/** The latest changes, for clients that resume. */
export class ReplayBuffer {
  /** Dropped changes are cleared at once, since their frames may be large, and removed in bulk. */
  #changes: (PublishedChange | undefined)[] = []
  #first = 0
  #bytes = 0
  #oldest = 1

  /** The first seq that can still be replayed. */
  get oldestSeq(): number {
    return this.#oldest
  }

  add(change: PublishedChange): void {
    this.#changes.push(change)
    this.#bytes += change.frame.length
    while (this.#changes.length - this.#first > MAX_CHANGES || this.#bytes > MAX_BYTES) this.#drop()
    // Removing each change from the front would move all the others: at half, each is moved once on average.
    if (this.#first > this.#changes.length / 2) this.#compact()
  }

  /** Forgets everything: what happened up to this seq can only be seen in a snapshot. */
  clear(seq: number): void {
    this.#changes = []
    this.#first = 0
    this.#bytes = 0
    this.#oldest = seq + 1
  }

  /** The changes after a seq; undefined if some of them are gone. */
  after(seq: number): readonly PublishedChange[] | undefined {
    if (seq + 1 < this.#oldest) return undefined
    // Mostly the last few of thousands.
    const last = this.#changes.findLastIndex((change) => change === undefined || change.seq <= seq)
    return this.#changes.slice(last + 1).filter((change) => change !== undefined)
  }

  #drop(): void {
    const dropped = this.#changes[this.#first]
    if (dropped === undefined) return
    this.#changes[this.#first] = undefined
    this.#first += 1
    this.#bytes -= dropped.frame.length
    this.#oldest = dropped.seq + 1
  }

  #compact(): void {
    this.#changes = this.#changes.slice(this.#first)
    this.#first = 0
  }
}

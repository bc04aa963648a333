import type { PublishedChange } from './replay-buffer.ts'

interface Frames {
  readonly frames: Buffer
  readonly count: number
}

/** Changes that are sent together, in one write for each client. */
export class ChangeBatch {
  readonly #changes: readonly PublishedChange[]
  readonly #bySubscription = new Map<string, Frames>()

  constructor(changes: readonly PublishedChange[]) {
    this.#changes = changes
  }

  /** The frames of these topics; clients with the same subscription share them. */
  framesFor(topics: ReadonlySet<string>, subscription: string): Frames {
    const known = this.#bySubscription.get(subscription)
    if (known !== undefined) return known
    const wanted = this.#changes.flatMap(({ topic, frame }) => (topics.has(topic) ? [frame] : []))
    const [only = Buffer.alloc(0)] = wanted
    const frames = wanted.length > 1 ? Buffer.concat(wanted) : only
    this.#bySubscription.set(subscription, { frames, count: wanted.length })
    return { frames, count: wanted.length }
  }
}

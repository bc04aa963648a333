import { createHmac, randomBytes } from 'node:crypto'
import { Refused } from './problems.ts'

/** A reply with the version of what it shows, which is sent as ETag (RFC 9110). */
export class Versioned<Reply> {
  readonly reply: Reply
  readonly etag: string

  constructor(reply: Reply, resource: unknown) {
    this.reply = reply
    this.etag = etagOf(resource)
  }
}

/** Runs a change if the client's If-Match names the current version, or is absent. */
export type ConditionalChange = <Result>(
  ifMatch: string | undefined,
  /** Reads what is stored; undefined if there is nothing, which the change itself answers. */
  current: () => unknown,
  change: () => Result | Promise<Result>,
) => Promise<Result | Refused>

const changesOf = new WeakMap<object, ConditionalChange>()

/** The changes of a store, one at a time on all listeners that it is mounted on. */
export function conditionalChangeOf(store: object): ConditionalChange {
  const change = changesOf.get(store) ?? createConditionalChange()
  changesOf.set(store, change)
  return change
}

/** One at a time, so that nothing is changed between the comparison and the change. */
function createConditionalChange(): ConditionalChange {
  let last: Promise<unknown> = Promise.resolve()
  return (ifMatch, current, change) => {
    const result = last.then(async () => {
      const stored = ifMatch === undefined ? undefined : await current()
      const isOther = ifMatch !== undefined && stored !== undefined && !isMatch(ifMatch, etagOf(stored))
      return isOther ? CHANGED : change()
    })
    last = result.catch(() => {})
    return result
  }
}

const CHANGED = new Refused(
  'version.changed',
  'Somebody changed it after you loaded it, so nothing was saved. Load it again and repeat the change.',
)

function isMatch(ifMatch: string, etag: string): boolean {
  return ifMatch.split(',').some((given) => given.trim() === etag || given.trim() === '*')
}

/** New with every start. Without a key, the version of a stored secret would let it be guessed. */
const KEY = randomBytes(32)
const ETAG_CHARS = 22

function etagOf(resource: unknown): string {
  const digest = createHmac('sha256', KEY).update(JSON.stringify(resource)).digest('base64url')
  return `"${digest.slice(0, ETAG_CHARS)}"`
}

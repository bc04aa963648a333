import { createHash } from 'node:crypto'
import type { Endpoint } from '@binnacle/contract'
import { IDEMPOTENCY_HEADER } from '@binnacle/contract'
import type { Handler } from './mount.ts'
import { Refused } from './problems.ts'

/** Per call; the oldest is dropped first. */
const MAX_CACHED_REPLIES = 1000

interface CachedReply<Outcome> {
  digest: string
  outcome: Promise<Outcome>
}

/** Of each service and call: a service is mounted on several listeners, and a key counts on all of them. */
const repliesOf = new WeakMap<object, Map<Endpoint, Map<string, CachedReply<unknown>>>>()

/**
 * CLIENT-19: a request with the key of an earlier one gets that one's outcome, also while it is running. For work that
 * ends with the process, so the keys are in memory. After a refusal or a fault nothing was done and the key is free.
 */
export function onceByKey<E extends Endpoint>(service: object, endpoint: E, handler: Handler<E>): Handler<E> {
  const replies = cachedReplies<E>(service, endpoint)
  return async (request, context) => {
    const { idempotencyKey: key } = context
    if (key === undefined) return handler(request, context)
    // A request may hold a password.
    const digest = createHash('sha256').update(JSON.stringify(request)).digest('hex')
    const known = replies.get(key)
    if (known) return known.digest === digest ? known.outcome : keyInUse()
    const outcome = Promise.resolve(handler(request, context))
    replies.set(key, { digest, outcome })
    dropOldest(replies)
    try {
      const reply = await outcome
      if (reply instanceof Refused) replies.delete(key)
      return reply
    } catch (error) {
      replies.delete(key)
      throw error
    }
  }
}

function cachedReplies<E extends Endpoint>(service: object, endpoint: E) {
  const calls = repliesOf.get(service) ?? new Map<Endpoint, Map<string, CachedReply<unknown>>>()
  repliesOf.set(service, calls)
  const replies = calls.get(endpoint) ?? new Map<string, CachedReply<unknown>>()
  calls.set(endpoint, replies)
  // Filled below with the outcomes of this endpoint's handlers only.
  return replies as Map<string, CachedReply<Awaited<ReturnType<Handler<E>>>>>
}

function keyInUse(): Refused {
  const message = 'belongs to another request; use a new key'
  return new Refused('request.invalid', `The idempotency key ${message}.`, [
    { field: `header.${IDEMPOTENCY_HEADER}`, message },
  ])
}

function dropOldest(replies: Map<string, unknown>): void {
  if (replies.size <= MAX_CACHED_REPLIES) return
  const [oldest] = replies.keys()
  if (oldest !== undefined) replies.delete(oldest)
}

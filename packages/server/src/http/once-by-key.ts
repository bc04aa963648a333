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

/**
 * CLIENT-19: a request with the key of an earlier one gets that one's outcome, also while it is running. For work that
 * ends with the process, so the keys are in memory. After a refusal or a fault nothing was done and the key is free.
 */
export function onceByKey<E extends Endpoint>(handler: Handler<E>): Handler<E> {
  const replies = new Map<string, CachedReply<Awaited<ReturnType<Handler<E>>>>>()
  return async (request, context) => {
    const { idempotencyKey: key } = context
    if (key === undefined) return handler(request, context)
    // A request may hold a password.
    const digest = createHash('sha256').update(JSON.stringify(request)).digest('hex')
    const known = replies.get(key)
    if (known) return known.digest === digest ? known.outcome : usedByAnother()
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

function usedByAnother(): Refused {
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

import type { Endpoint } from '@binnacle/contract'
import { IDEMPOTENCY_HEADER } from '@binnacle/contract'
import type { Handler } from './mount.ts'
import { Refused } from './problems.ts'

/** Per call; the oldest is dropped first. */
const MAX_CACHED_REPLIES = 1000

interface CachedReply<Outcome> {
  request: string
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
    const text = JSON.stringify(request)
    const known = replies.get(key)
    if (known) return known.request === text ? known.outcome : usedByAnother()
    const outcome = Promise.resolve(handler(request, context))
    replies.set(key, { request: text, outcome })
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

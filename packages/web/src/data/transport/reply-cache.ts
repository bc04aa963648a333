interface LastReply {
  text: string
  value: unknown
}

/** More than any screen polls; the least recently used is dropped first. */
const MAX_CACHED_REPLIES = 64

const lastReplies = new Map<string, LastReply>()

/** Returns the previous value if the text is unchanged: not parsed again, and the same object, so nothing renders. */
export function reuseReply<Value>(url: string, text: string, parse: () => Value): Value {
  const last = lastReplies.get(url)
  lastReplies.delete(url)
  const reply = last?.text === text ? last : { text, value: parse() }
  lastReplies.set(url, reply)
  const oldest = lastReplies.size > MAX_CACHED_REPLIES ? lastReplies.keys().next().value : undefined
  if (oldest !== undefined) lastReplies.delete(oldest)
  // One URL belongs to one endpoint, so the cached value comes from the same parse.
  return reply.value as Value
}

interface LastReply {
  text: string
  value: unknown
}

/** More than any screen polls; the least recently used is dropped first. */
const MAX_CACHED_REPLIES = 64
/** Of all texts together: the list of orders, the largest that is polled, has up to 2 million. */
const MAX_CACHED_CHARS = 8_000_000

const lastReplies = new Map<string, LastReply>()
let cachedChars = 0

/** Returns the previous value if the text is unchanged: not parsed again, and the same object, so nothing renders. */
export function reuseReply<Value>(url: string, text: string, parse: () => Value): Value {
  const last = lastReplies.get(url)
  drop(url)
  const reply = last?.text === text ? last : { text, value: parse() }
  lastReplies.set(url, reply)
  cachedChars += text.length
  for (const oldest of lastReplies.keys()) {
    if (lastReplies.size <= MAX_CACHED_REPLIES && cachedChars <= MAX_CACHED_CHARS) break
    drop(oldest)
  }
  // One URL belongs to one endpoint, so the cached value comes from the same parse.
  return reply.value as Value
}

function drop(url: string): void {
  cachedChars -= lastReplies.get(url)?.text.length ?? 0
  lastReplies.delete(url)
}

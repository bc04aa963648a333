interface LastReply {
  text: string
  value: unknown
}

/** More than any screen polls at once; the least recently used goes first. */
const KEPT = 64

const lastReplies = new Map<string, LastReply>()

/** An unchanged text is not parsed again and keeps its identity, so nothing downstream renders. */
export function rememberReply<Value>(url: string, text: string, parse: () => Value): Value {
  const last = lastReplies.get(url)
  lastReplies.delete(url)
  const reply = last?.text === text ? last : { text, value: parse() }
  lastReplies.set(url, reply)
  const oldest = lastReplies.size > KEPT ? lastReplies.keys().next().value : undefined
  if (oldest !== undefined) lastReplies.delete(oldest)
  // One URL belongs to one endpoint, so its value was made by the same parse.
  return reply.value as Value
}

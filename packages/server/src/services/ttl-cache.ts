/** Figures that are costly to compute and may be as old as Cache TTL says (SET-21). */
export interface TtlCache {
  /** The cached value if it is young enough, else a new one. Only what `isKept` accepts is cached; a failure never is. */
  get<Value>(
    key: readonly string[],
    load: () => Value | Promise<Value>,
    isCacheable?: (value: Value) => boolean,
  ): Promise<Value>
  /** Drops all values whose key begins with this part. */
  invalidate(part: string): void
  clear(): void
}

interface Entry {
  value: unknown
  atMs: number
}

const MAX_ENTRIES = 500

/** The time to live is read at each call, so a changed one counts at once. */
export function createTtlCache(ttlMs: () => number, nowMs = () => performance.now()): TtlCache {
  const entries = new Map<string, Entry>()
  /** What is being loaded while values are dropped may be older than the reason to drop them. */
  let invalidations = 0

  function drop(isDropped: (key: string) => boolean): void {
    invalidations += 1
    for (const key of entries.keys()) if (isDropped(key)) entries.delete(key)
  }

  return {
    async get<Value>(
      parts: readonly string[],
      load: () => Value | Promise<Value>,
      isCacheable: (value: Value) => boolean = () => true,
    ) {
      const key = JSON.stringify(parts)
      const known = entries.get(key)
      // Each key has one caller, so the entry has its type.
      if (known !== undefined && nowMs() - known.atMs < ttlMs()) return known.value as Value
      const invalidationsBefore = invalidations
      const atMs = nowMs()
      const value = await load()
      if (!isCacheable(value) || invalidations !== invalidationsBefore) return value
      entries.delete(key)
      entries.set(key, { value, atMs })
      const [oldest] = entries.keys()
      if (entries.size > MAX_ENTRIES && oldest !== undefined) entries.delete(oldest)
      return value
    },
    invalidate(part) {
      const prefix = JSON.stringify([part]).slice(0, -1)
      drop((key) => key === `${prefix}]` || key.startsWith(`${prefix},`))
    },
    clear: () => drop(() => true),
  }
}

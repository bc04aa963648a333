const SLOT_MS = 300_000
const SLOTS = 12
/** The length of the window: the current slot and the eleven before it. */
export const WINDOW_MS = SLOT_MS * SLOTS

const LOWEST_MS = 0.05
/** Adjacent bounds differ by this factor, so a percentile is wrong by at most 4 %. */
const FACTOR = 1.08
const LOG_FACTOR = Math.log(FACTOR)
const BUCKETS = 184

/** Durations of the last hour, as counts in buckets of growing width. */
export class LatencyWindow {
  readonly #slots = Array.from({ length: SLOTS }, () => ({ start: -1, counts: new Uint32Array(BUCKETS) }))

  add(durationMs: number, nowMs: number): void {
    const counts = this.#slotAt(nowMs)
    const bucket = bucketOf(durationMs)
    counts[bucket] = (counts[bucket] ?? 0) + 1
  }

  /** The durations that these shares of all requests stay within, from 0 to 1; 0 without a request. */
  percentiles(shares: readonly number[], nowMs: number): { count: number; values: number[] } {
    const sums = new Float64Array(BUCKETS)
    for (const { start, counts } of this.#slots) {
      if (start < 0 || nowMs - start * SLOT_MS >= WINDOW_MS) continue
      for (let bucket = 0; bucket < BUCKETS; bucket++)
        sums[bucket] = (sums[bucket] ?? 0) + (counts[bucket] ?? 0)
    }
    const count = sums.reduce((sum, each) => sum + each, 0)
    return { count, values: shares.map((share) => valueAt(sums, Math.ceil(share * count))) }
  }

  #slotAt(nowMs: number): Uint32Array {
    const start = Math.floor(nowMs / SLOT_MS)
    const slot = this.#slots[start % SLOTS]
    if (slot === undefined) throw new Error('a slot of the latency window is missing')
    if (slot.start !== start) {
      slot.start = start
      slot.counts.fill(0)
    }
    return slot.counts
  }
}

function bucketOf(durationMs: number): number {
  if (!(durationMs > LOWEST_MS)) return 0
  return Math.min(BUCKETS - 1, 1 + Math.floor(Math.log(durationMs / LOWEST_MS) / LOG_FACTOR))
}

/** The geometric middle of the bucket with this rank. */
function valueAt(sums: Float64Array, rank: number): number {
  if (rank === 0) return 0
  let seen = 0
  const bucket = sums.findIndex((count) => {
    seen += count
    return seen >= rank
  })
  return bucket === 0 ? LOWEST_MS : LOWEST_MS * FACTOR ** (bucket - 0.5)
}

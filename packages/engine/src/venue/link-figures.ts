import type { Instant } from '#values/instant.ts'
import type { LatencyFigures } from './adapter.ts'

const MINUTE_MS = 60_000
const MINUTES = 60
const BIN_MS = 10
const BINS = 20
const RATE_SECONDS = 10

/** The round trips of the last hour. */
export class LatencyRecord {
  #samples: { at: Instant; ms: number }[] = []

  add(at: Instant, ms: number): void {
    this.#samples.push({ at, ms })
    const oldest = this.#samples[0]
    // Cut in large pieces, since each cut copies the rest.
    if (oldest !== undefined && at - oldest.at > 2 * MINUTES * MINUTE_MS) this.#samples = this.#recent(at)
  }

  figures(now: Instant): LatencyFigures {
    const recent = this.#recent(now)
    const sorted = recent.map(({ ms }) => ms).toSorted(ascending)
    const histogram = Array.from({ length: BINS + 1 }, () => 0)
    for (const ms of sorted) {
      const bin = Math.min(BINS, Math.floor(ms / BIN_MS))
      histogram[bin] = (histogram[bin] ?? 0) + 1
    }
    const byMinute = Array.from({ length: MINUTES }, (): number[] => [])
    for (const { at, ms } of recent) byMinute[MINUTES - 1 - Math.floor((now - at) / MINUTE_MS)]?.push(ms)
    const minutes = byMinute.map((each) => quantile(each.toSorted(ascending), 0.5))
    return { p50: quantile(sorted, 0.5), p95: quantile(sorted, 0.95), minutes, histogram }
  }

  #recent(now: Instant): { at: Instant; ms: number }[] {
    return this.#samples.filter(({ at }) => now - at < MINUTES * MINUTE_MS)
  }
}

/** Counts messages; the rate is the mean of the last ten full seconds. */
export class MessageRate {
  readonly #counts = new Map<number, number>()

  add(at: Instant): void {
    const second = Math.floor(at / 1_000)
    this.#counts.set(second, (this.#counts.get(second) ?? 0) + 1)
    if (this.#counts.size > 2 * RATE_SECONDS) this.#forgetBefore(second - RATE_SECONDS)
  }

  perSecond(now: Instant): number {
    const second = Math.floor(now / 1_000)
    let sum = 0
    for (const [each, count] of this.#counts) if (each < second && each >= second - RATE_SECONDS) sum += count
    return sum / RATE_SECONDS
  }

  #forgetBefore(second: number): void {
    for (const each of this.#counts.keys()) if (each < second) this.#counts.delete(each)
  }
}

/** The smallest value that the share of all does not exceed; null without any. */
function quantile(sorted: readonly number[], share: number): number | null {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? null
}

function ascending(one: number, other: number): number {
  return one - other
}

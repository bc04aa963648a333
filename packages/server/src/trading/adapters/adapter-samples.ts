import type { SampleSource } from '#services/samples/sampler.ts'
import type { AdapterLinks } from '#trading/runtime/adapter-links.ts'
import { latencySeries } from './adapter.wire.ts'

const READ_INTERVAL_MS = 10_000
/** A reading counts as current for so long, so that a busy engine leaves no gaps. */
const CURRENT_MS = 3 * READ_INTERVAL_MS

/** ADAPT-26: the median round trip of the last minute. A venue that did not answer in it has none. */
export function createAdapterSamples(links: Pick<AdapterLinks, 'list'>, now = Date.now): SampleSource {
  let askedAt = Number.NEGATIVE_INFINITY
  let readAt = Number.NEGATIVE_INFINITY
  let values: ReadonlyMap<string, number> = new Map()

  async function ask(): Promise<void> {
    askedAt = now()
    const medians = (await links.list()).map(
      ({ venue, state, latency }) =>
        [latencySeries(venue), state === 'connected' ? latency.minutes.at(-1) : null] as const,
    )
    values = new Map(
      medians.flatMap(([series, ms]) => (ms === null || ms === undefined ? [] : [[series, ms]])),
    )
    readAt = now()
  }

  return {
    read() {
      if (now() - askedAt >= READ_INTERVAL_MS) void ask()
      return { values: now() - readAt < CURRENT_MS ? values : new Map() }
    },
  }
}

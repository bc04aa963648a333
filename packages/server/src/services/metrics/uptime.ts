import { MONITORING_SERIES, type Monitoring, type UptimeDay } from '@binnacle/contract'
import type { Samples } from '#storage/samples/samples.ts'

const DAYS = 30
const DAY_S = 86_400
const CACHE_MS = 60_000

/** The share of minutes in which the server ran, over 30 days and per day. Computed at most once a minute. */
export function createUptime(samples: Samples, now: () => number): () => Promise<Monitoring['uptime']> {
  let known: Monitoring['uptime'] | undefined
  let knownAt = Number.NEGATIVE_INFINITY
  return async () => {
    if (known === undefined || now() - knownAt >= CACHE_MS) {
      knownAt = now()
      known = await readUptime(samples, Math.floor(now() / 1000))
    }
    return known
  }
}

async function readUptime(samples: Samples, nowS: number): Promise<Monitoring['uptime']> {
  const today = Math.floor(nowS / DAY_S) * DAY_S
  const coverage = await samples.coverage(MONITORING_SERIES.cpu, today - (DAYS - 1) * DAY_S)
  const { firstAt, minutesOfDay } = coverage
  if (firstAt === undefined) return { percent: null, days: [] }
  const days: (UptimeDay & { expected: number })[] = []
  for (let day = Math.floor(firstAt / DAY_S) * DAY_S; day <= today; day += DAY_S) {
    // The current minute counts from its first second on.
    const end = Math.min(day + DAY_S, Math.floor(nowS / 60) * 60 + 60)
    const expected = (end - Math.max(day, firstAt)) / 60
    const ran = Math.min(expected, minutesOfDay.get(day) ?? 0)
    const date = new Date(day * 1000).toISOString().slice(0, 10)
    days.push({ date, percent: (ran / expected) * 100, down_minutes: expected - ran, expected })
  }
  const expected = days.reduce((sum, day) => sum + day.expected, 0)
  const down = days.reduce((sum, day) => sum + day.down_minutes, 0)
  return {
    percent: (1 - down / expected) * 100,
    days: days.map(({ expected: _, ...day }) => day),
  }
}

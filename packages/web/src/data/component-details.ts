import { components, samples } from '@binnacle/contract'
import { queryOptions } from '@tanstack/react-query'
import { call } from './client.ts'
import { logOnly } from './failure.ts'
import { windowStart } from './window-start.ts'

const POLL_MS = 5_000
const COURSE_POLL_MS = 15_000
const HOUR_MS = 3_600_000
const POINTS = 60

/** Below the key of the port, so that a command of the screen loads them again too. */
const KEY = ['ports', 'components', 'details'] as const

export const componentDetailQueries = {
  read: () =>
    queryOptions({
      queryKey: KEY,
      queryFn: ({ signal }) => call(components.details, {}, { signal }),
      refetchInterval: POLL_MS,
      meta: { onFailure: logOnly, isPolled: true },
    }),
  /** The last hour of the rates, for their lines. */
  history: (series: readonly string[]) =>
    queryOptions({
      queryKey: [...KEY, 'history', series.join(',')],
      queryFn: ({ signal }) => {
        const from = windowStart(HOUR_MS, COURSE_POLL_MS)
        return call(samples.read, { query: { series: series.join(','), from, points: POINTS } }, { signal })
      },
      enabled: series.length > 0,
      refetchInterval: COURSE_POLL_MS,
      meta: { onFailure: logOnly, isPolled: true },
    }),
}

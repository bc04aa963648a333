import { type SampleSeries, type Samples, samples } from '@binnacle/contract'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { capabilityQueries, offers } from './capabilities.ts'
import { call } from './client.ts'
import { useEngineSummary } from './engine.ts'
import { logOnly } from './failure.ts'

const POLL_MS = 15_000
const HOUR_S = 3600
const DAY_S = 24 * HOUR_S

/** What of the day is shown: from 00:00 UTC to the next of these bounds, so that the steps change seldom. */
export interface DayWindow {
  from: number
  to: number
}

const WINDOWS_H = [2, 4, 8, 16, 24]

export function dayWindow(nowMs: number): DayWindow {
  const now = Math.floor(nowMs / 1000)
  const from = now - (now % DAY_S)
  const hours = WINDOWS_H.find((each) => now - from < each * HOUR_S) ?? 24
  return { from, to: from + hours * HOUR_S }
}

/** The same hours of the day before. */
export function dayBefore({ from, to }: DayWindow): DayWindow {
  return { from: from - DAY_S, to: to - DAY_S }
}

export interface SampleRequest {
  series: readonly string[]
  window: DayWindow
  points: number
  /** A past window does not change. */
  isPast?: boolean
}

const sampleQueries = {
  all: ['samples'] as const,
  read: ({ series, window, points, isPast = false }: SampleRequest) =>
    queryOptions({
      queryKey: [...sampleQueries.all, series.join(','), window.from, window.to, points],
      queryFn: ({ signal }) =>
        call(
          samples.read,
          { query: { series: series.join(','), from: isoTime(window.from), to: isoTime(window.to), points } },
          { signal },
        ),
      refetchInterval: isPast ? false : POLL_MS,
      staleTime: isPast ? Number.POSITIVE_INFINITY : 0,
      placeholderData: (last) => last,
      meta: { onFailure: logOnly, isPolled: !isPast },
    }),
}

/** Undefined until loaded, and on a backend without samples, where nothing is requested. */
export function useSamples(request: SampleRequest): Samples | undefined {
  const { data: backend } = useQuery(capabilityQueries.backend())
  const isEnabled = offers(backend, 'samples') && request.series.length > 0
  const prefix = useEngineSummary()?.isPaper ? PAPER_SERIES : ''
  const series = request.series.map((name) => `${prefix}${name}`)
  const { data } = useQuery({ ...sampleQueries.read({ ...request, series }), enabled: isEnabled })
  return data && withoutPrefix(data, prefix)
}

/** The series of the paper account have the same names after this. */
const PAPER_SERIES = 'paper.'

function withoutPrefix(read: Samples, prefix: string): Samples {
  if (prefix === '') return read
  return {
    ...read,
    series: read.series.map(({ name, ...rest }) => ({ ...rest, name: name.slice(prefix.length) })),
  }
}

export function seriesOf(read: Samples | undefined, name: string): SampleSeries | undefined {
  return read?.series.find((series) => series.name === name)
}

function isoTime(seconds: number): string {
  return new Date(seconds * 1000).toISOString()
}

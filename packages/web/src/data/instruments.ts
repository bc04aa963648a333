import { type Instrument, instruments } from '@binnacle/contract'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { capabilityQueries } from './capabilities.ts'
import { call } from './client.ts'
import { logOnly } from './failure.ts'

const listQuery = queryOptions({
  queryKey: ['instruments'],
  queryFn: async ({ signal }) => (await call(instruments.list, {}, { signal })).instruments,
  staleTime: Number.POSITIVE_INFINITY,
  meta: { onFailure: logOnly },
})

const NONE: readonly Instrument[] = []

/** What can be traded; none in the baseline, whose screens do not ask. */
export function useInstruments(): readonly Instrument[] {
  const { data: backend } = useQuery(capabilityQueries.backend())
  const { data = NONE } = useQuery({ ...listQuery, enabled: backend?.kind === 'live' })
  return data
}

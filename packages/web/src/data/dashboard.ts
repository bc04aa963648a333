import { auditLogs } from '@binnacle/contract'
import { queryOptions } from '@tanstack/react-query'
import { call } from './client.ts'
import { logOnly } from './failure.ts'

/** The figures of the admin dashboard on a live backend (ADM-9). */
export const dashboardQueries = {
  /** Audit records are numbered from 1 without gaps, so the newest id is their count. */
  auditedChanges: () =>
    queryOptions({
      queryKey: ['dashboard', 'audited-changes'],
      queryFn: async ({ signal }) =>
        Number((await call(auditLogs.list, { query: { limit: 1 } }, { signal })).logs[0]?.id ?? 0),
      meta: { onFailure: logOnly },
    }),
  /** ADM-20 */
  lastRecords: () =>
    queryOptions({
      queryKey: ['dashboard', 'last-records'],
      queryFn: async ({ signal }) => (await call(auditLogs.list, { query: { limit: 5 } }, { signal })).logs,
      refetchInterval: 15_000,
      meta: { onFailure: logOnly, isPolled: true },
    }),
  /** The table of all calls is large, so it is loaded separately. */
  contractCalls: () =>
    queryOptions({
      queryKey: ['dashboard', 'contract-calls'],
      queryFn: async () => (await import('./contract-calls.ts')).countCalls(),
      staleTime: Number.POSITIVE_INFINITY,
    }),
}

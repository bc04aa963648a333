import { useQuery } from '@tanstack/react-query'
import { capabilityQueries, offers } from './capabilities.ts'

/** PERF-24: whether the deeper part of Performance Analytics is shown. The one place that decides it. */
export function useAdvancedAnalytics(): boolean {
  return offers(useQuery(capabilityQueries.backend()).data, 'performance')
}

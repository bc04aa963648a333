import { service } from '@binnacle/contract'
import { queryOptions } from '@tanstack/react-query'
import { call } from './client.ts'

const HEARTBEAT_MS = 5000

export const serviceQueries = {
  all: ['service'] as const,
  /** Whether the trading API answers at all; the shell's heartbeat. */
  health: () =>
    queryOptions({
      queryKey: [...serviceQueries.all, 'health'],
      queryFn: ({ signal }) => call(service.health, {}, { signal }),
      refetchInterval: HEARTBEAT_MS,
    }),
}

import { service } from '@binnacle/contract'
import { queryOptions } from '@tanstack/react-query'
import { call } from './client.ts'

const HEARTBEAT_MS = 5000

export const serviceQueries = {
  all: ['service'] as const,
  /** The shell's heartbeat: whether the trading API answers. */
  health: () =>
    queryOptions({
      queryKey: [...serviceQueries.all, 'health'],
      queryFn: ({ signal }) => call(service.health, {}, { signal }),
      refetchInterval: HEARTBEAT_MS,
    }),
}

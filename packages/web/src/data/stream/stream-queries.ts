import { queryOptions, skipToken } from '@tanstack/react-query'
import type { StreamState } from './stream-socket.ts'

export const streamQueries = {
  all: ['stream'] as const,
  /** The state of the connection, written by the stream itself; no data while there is no stream. */
  state: () =>
    queryOptions<StreamState>({
      queryKey: streamQueries.all,
      queryFn: skipToken,
      staleTime: Number.POSITIVE_INFINITY,
      gcTime: Number.POSITIVE_INFINITY,
    }),
}

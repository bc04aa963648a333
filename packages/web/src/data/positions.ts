import { type Id, positions } from '@binnacle/contract'
import { queryOptions } from '@tanstack/react-query'
import { type ActOptions, useAct, usePendingIds } from './changes/act.ts'
import { call } from './client.ts'
import type { LoadOptions } from './load.ts'

const POLL_MS = 3000
const CLOSE = ['positions', 'close']

export const positionQueries = {
  all: ['positions'] as const,
  list: ({ onFailure }: LoadOptions) =>
    queryOptions({
      queryKey: positionQueries.all,
      queryFn: async ({ signal }) => (await call(positions.list, {}, { signal })).positions,
      refetchInterval: POLL_MS,
      meta: { onFailure, isPolled: true },
    }),
}

export function useClosePosition(options: ActOptions) {
  const send = (id: Id) => call(positions.close, { params: { id } })
  return useAct({ key: CLOSE, send, touches: positionQueries.all }, options)
}

export function usePositionsBeingClosed() {
  return usePendingIds(CLOSE)
}

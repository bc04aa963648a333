import { backtestWorkers } from '@binnacle/contract'
import { queryOptions } from '@tanstack/react-query'
import { call } from './client.ts'
import { logOnly } from './failure.ts'

const POLL_MS = 3_000

export const workerQueries = {
  /** BT-52: asked once where there is no queue. */
  list: () =>
    queryOptions({
      queryKey: ['backtest-workers'],
      queryFn: ({ signal }) => call(backtestWorkers.list, {}, { signal }),
      refetchInterval: ({ state }) => (state.data && state.data.queue !== 'off' ? POLL_MS : false),
      meta: { onFailure: logOnly },
    }),
}

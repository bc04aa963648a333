import { type HistoryFilter, orderHistory } from '@binnacle/contract'
import { queryOptions } from '@tanstack/react-query'
import { call } from './client.ts'
import { type Command, type CommandOptions, useCommand } from './command.ts'
import type { LoadOptions } from './load.ts'
import { orderQueries } from './orders.ts'
import { type DownloadedFile, download } from './transport/download.ts'

const POLL_MS = 5000
const EXPORT = ['orders', 'export']
const EXPORT_IDLE_MS = 30_000

export type HistoryQuery = HistoryFilter & { cursor?: string; limit?: number }

export const orderHistoryQueries = {
  /** Orders of all time that match; its key begins with that of orders, so that commands load it again. */
  list: ({ onFailure, query, isOffered }: LoadOptions & { query: HistoryQuery; isOffered: boolean }) =>
    queryOptions({
      queryKey: [...orderQueries.all, 'history', query],
      queryFn: ({ signal }) => call(orderHistory.list, { query }, { signal }),
      refetchInterval: POLL_MS,
      enabled: isOffered,
      placeholderData: (last) => last,
      meta: { onFailure, isPolled: true },
    }),
}

/** ORD-63 */
export function useExportOrders(
  options: CommandOptions<HistoryFilter, DownloadedFile>,
): Command<HistoryFilter> {
  return useCommand(
    { key: EXPORT, send: (query) => download(orderHistory.export, { query }, EXPORT_IDLE_MS) },
    options,
  )
}

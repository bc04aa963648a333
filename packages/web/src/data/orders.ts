import { type Id, type NewOrder, orders, type ReplyOf } from '@binnacle/contract'
import { queryOptions } from '@tanstack/react-query'
import { type ActOptions, useAct, usePendingIds } from './act.ts'
import { call } from './client.ts'
import type { LoadOptions } from './load.ts'

const POLL_MS = 5000
const PLACE = ['orders', 'place']
const CANCEL = ['orders', 'cancel']

export const orderQueries = {
  all: ['orders'] as const,
  list: ({ onFailure }: LoadOptions) =>
    queryOptions({
      queryKey: orderQueries.all,
      queryFn: async ({ signal }) => (await call(orders.list, {}, { signal })).orders,
      refetchInterval: POLL_MS,
      meta: { onFailure, isPolled: true },
    }),
}

export function usePlaceOrder(options: ActOptions<ReplyOf<typeof orders.place>>) {
  const send = (order: NewOrder) => call(orders.place, { body: order })
  return useAct({ key: PLACE, send, touches: orderQueries.all }, options)
}

export function useCancelOrder(options: ActOptions) {
  const send = (id: Id) => call(orders.cancel, { params: { id } })
  return useAct({ key: CANCEL, send, touches: orderQueries.all }, options)
}

export function useOrdersBeingCancelled() {
  return usePendingIds(CANCEL)
}

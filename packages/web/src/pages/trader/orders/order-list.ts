import type { Order } from '@binnacle/contract'
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { useSearchParams } from 'react-router'
import { capabilityQueries, offers } from '#data/capabilities.ts'
import { logOnly } from '#data/failure.ts'
import { countByStatus } from '#data/order-counts.ts'
import { orderHistoryQueries } from '#data/order-history.ts'
import { orderQueries } from '#data/orders.ts'
import { canCancel, workingFirst } from './order-status.ts'
import { filterOf, isLatestList, type OrderListView, viewOf } from './order-view.ts'

export interface OrderList {
  view: OrderListView
  isLive: boolean
  hasHistory: boolean
  hasDetail: boolean
  /** Undefined until the first answer. */
  orders: readonly Order[] | undefined
  isPending: boolean
  error: unknown
  nextCursor: string | undefined
  /** By status, of all orders that the filters match; undefined without a history. */
  counts: Readonly<Record<string, number>> | undefined
}

/** The orders that the address asks for: of the latest list, which is streamed, or of the history. */
export function useOrderList(): OrderList {
  const view = viewOf(useSearchParams()[0])
  const { data: backend } = useQuery(capabilityQueries.backend())
  const isLive = backend?.kind === 'live'
  const hasHistory = offers(backend, 'order-history')
  const isLatest = !hasHistory || isLatestList(view)
  const latest = useQuery({
    ...orderQueries.list({ onFailure: logOnly, before: view.before || undefined }),
    enabled: isLatest,
  })
  // The latest list of a young account is all there is: its own rows are counted, so that both say the same.
  const whole =
    isLatest && view.before === '' && latest.data?.next_cursor === undefined ? latest.data : undefined
  const { status: _, ...filter } = filterOf(view)
  const counted = useQuery(
    orderHistoryQueries.list({
      onFailure: logOnly,
      query: { ...filter, limit: 1 },
      isOffered: hasHistory && !latest.isLoading && whole === undefined,
    }),
  )
  const cursor = view.before === '' ? {} : { cursor: view.before }
  const past = useQuery(
    orderHistoryQueries.list({
      onFailure: logOnly,
      query: { ...filterOf(view), ...cursor },
      isOffered: hasHistory && !isLatest,
    }),
  )
  const { data, isPending, error } = isLatest ? latest : past
  const isWorking = isLatest && hasHistory && view.tab === 'working'
  const orders = useMemo(() => {
    if (!data || !isLive) return data?.orders
    if (!isLatest || countByStatus(data.orders).PENDING === data.orders.length) return data.orders
    return isWorking ? data.orders.filter(canCancel) : workingFirst(data.orders)
  }, [data, isLive, isWorking, isLatest])
  const hasDetail = offers(backend, 'order-detail')
  const nextCursor = isWorking ? undefined : data?.next_cursor
  const counts = hasHistory && whole !== undefined ? countByStatus(whole.orders) : counted.data?.counts
  return { view, isLive, hasHistory, hasDetail, orders, isPending, error, nextCursor, counts }
}

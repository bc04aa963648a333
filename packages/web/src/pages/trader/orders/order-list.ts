import type { Order } from '@binnacle/contract'
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { useSearchParams } from 'react-router'
import { capabilityQueries, offers } from '#data/capabilities.ts'
import { logOnly } from '#data/failure.ts'
import { countByStatus } from '#data/order-counts.ts'
import { orderHistoryQueries } from '#data/order-history.ts'
import { orderQueries } from '#data/orders.ts'
import { canCancel } from '#ui/order/order-rules.ts'
import { workingFirst } from './order-status.ts'
import { filterOf, isLatestList, type OrderListView, viewOf } from './order-view.ts'

/** What the address asks for, of what the backend offers. */
export interface OrdersPageState {
  view: OrderListView
  isLive: boolean
  hasHistory: boolean
  hasDetail: boolean
}

export interface OrderList {
  /** Undefined until the first answer. */
  orders: readonly Order[] | undefined
  isPending: boolean
  error: unknown
  nextCursor: string | undefined
  /** By status, of all orders that the filters match; undefined without a history. */
  counts: Readonly<Record<string, number>> | undefined
}

export function useOrdersPageState(): OrdersPageState {
  const [search] = useSearchParams()
  const { data: backend } = useQuery(capabilityQueries.backend())
  return useMemo(
    () => ({
      view: viewOf(search),
      isLive: backend?.kind === 'live',
      hasHistory: offers(backend, 'order-history'),
      hasDetail: offers(backend, 'order-detail'),
    }),
    [search, backend],
  )
}

/** The orders that are shown: of the latest list, which is streamed, or of the history. */
export function useOrderList(shown: OrdersPageState): OrderList {
  const { view, isLive } = shown
  const { data, counts, isPending, error, isLatest } = useLoadedOrders(shown)
  const isWorking = isLatest && shown.hasHistory && view.tab === 'working'
  const orders = useMemo(() => {
    if (!data || !isLive) return data?.orders
    if (!isLatest || countByStatus(data.orders).PENDING === data.orders.length) return data.orders
    return isWorking ? data.orders.filter(canCancel) : workingFirst(data.orders)
  }, [data, isLive, isWorking, isLatest])
  return { orders, isPending, error, nextCursor: isWorking ? undefined : data?.next_cursor, counts }
}

/** How many working orders the filters match. */
export function useWorkingCount(shown: OrdersPageState): number {
  const { data, counts } = useLoadedOrders(shown)
  return (counts ?? (data && countByStatus(data.orders)))?.PENDING ?? 0
}

function useLoadedOrders({ view, hasHistory }: OrdersPageState) {
  const isLatest = !hasHistory || isLatestList(view)
  const latest = useQuery({
    ...orderQueries.list({ onFailure: logOnly, before: view.before || undefined }),
    enabled: isLatest,
  })
  // The first page holds every order, so its rows are counted and no count is requested.
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
  const counts = hasHistory && whole !== undefined ? countByStatus(whole.orders) : counted.data?.counts
  return { data, counts, isPending, error, isLatest }
}

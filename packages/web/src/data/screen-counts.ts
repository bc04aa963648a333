import type { Order, Strategy } from '@binnacle/contract'
import { hashKey, type QueryKey, useQueryClient } from '@tanstack/react-query'
import { useCallback, useSyncExternalStore } from 'react'
import { useAlertSummary } from './alerts.ts'
import { useIsLive } from './capabilities.ts'
import { useEngineSummary } from './engine.ts'
import { countByStatus } from './order-counts.ts'
import { streamQueries } from './stream/stream-queries.ts'

/** SHELL-60: what runs, works or is open on each screen; undefined while unknown and in the baseline. */
export interface ScreenCounts {
  strategies: number | undefined
  orders: number | undefined
  positions: number | undefined
  alerts: number | undefined
}

export function useScreenCounts(): ScreenCounts {
  const counts = useEngineSummary()?.counts
  const strategies = useStreamed(COUNTED_KEYS.strategies, countRunning)
  const orders = useStreamed(COUNTED_KEYS.orders, countWorking)
  const positions = useStreamed(COUNTED_KEYS.positions, countAll)
  const alerts = useAlertSummary()?.open
  if (!useIsLive()) return NONE
  return {
    strategies: strategies ?? counts?.running_strategies,
    orders: orders ?? counts?.working_orders,
    positions: positions ?? counts?.open_positions,
    alerts,
  }
}

/** As the stream writes them; the queries themselves would bring the code of their calls into the shell. */
export const COUNTED_KEYS = {
  strategies: ['strategies'],
  orders: ['orders', undefined],
  positions: ['positions'],
} as const

const NONE: ScreenCounts = {
  strategies: undefined,
  orders: undefined,
  positions: undefined,
  alerts: undefined,
}

/**
 * Counts a list that the stream writes; undefined while there is no live stream. It observes no query, so that it requests
 * nothing and leaves the options of the pages' queries alone.
 */
function useStreamed<Data>(key: QueryKey, count: (data: Data) => number): number | undefined {
  const client = useQueryClient()
  const hash = hashKey(key)
  const subscribe = useCallback(
    (listener: () => void) =>
      client.getQueryCache().subscribe(({ query }) => {
        if (query.queryHash === hash || query.queryHash === STREAM_HASH) listener()
      }),
    [client, hash],
  )
  const getCount = () => {
    if (client.getQueryData(STREAM_KEY)?.kind !== 'live') return undefined
    const data = client.getQueryData<Data>(key)
    return data === undefined ? undefined : count(data)
  }
  return useSyncExternalStore(subscribe, getCount, getCount)
}

const STREAM_KEY = streamQueries.state().queryKey
const STREAM_HASH = hashKey(STREAM_KEY)

function countRunning(strategies: readonly Strategy[]): number {
  return strategies.filter(({ status }) => status === 'running').length
}

function countWorking({ orders }: { orders: readonly Order[] }): number {
  return countByStatus(orders).PENDING ?? 0
}

function countAll(rows: readonly unknown[]): number {
  return rows.length
}

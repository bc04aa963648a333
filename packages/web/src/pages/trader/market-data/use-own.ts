import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { logOnly } from '#data/failure.ts'
import { fillQueries } from '#data/fills.ts'
import { orderQueries } from '#data/orders.ts'
import { positionQueries } from '#data/positions.ts'
import { canCancel } from '#ui/order/order-rules.ts'
import { fillsToday, linesOf, marksOf } from './own-lines.ts'

/** MKT-32: what we have in an instrument, as rows and as drawn on its chart. */
export function useOwn(instrument: string, intervalSeconds: number) {
  const { data: list } = useQuery(orderQueries.list({ onFailure: logOnly }))
  const { data: allPositions } = useQuery(positionQueries.list({ onFailure: logOnly }))
  const { data: allFills } = useQuery(fillQueries.list({ onFailure: logOnly }))
  const orders = useMemo(
    () => list?.orders.filter((order) => order.instrument === instrument && canCancel(order)) ?? [],
    [list, instrument],
  )
  const positions = useMemo(
    () => allPositions?.filter((position) => position.instrument === instrument) ?? [],
    [allPositions, instrument],
  )
  const fills = useMemo(
    () => allFills?.filter((fill) => fill.instrument === instrument) ?? [],
    [allFills, instrument],
  )
  const lines = useMemo(() => linesOf(orders, positions), [orders, positions])
  const marks = useMemo(() => marksOf(fills, intervalSeconds), [fills, intervalSeconds])
  const drawn = useMemo(() => ({ lines, marks }), [lines, marks])
  return { orders, positions, fills: fillsToday(fills, Date.now()), drawn }
}

import type { Order } from '@binnacle/contract'
import { expect, test } from 'vitest'
import { countByStatus } from './order-counts.ts'

test('[STREAM-263] the orders of a list are counted once for all that show their number', () => {
  let read = 0
  const anOrder = (id: string, status: string): Order => ({
    id,
    instrument: 'BTCUSDT',
    side: 'BUY',
    type: 'LIMIT',
    quantity: 1,
    filled_qty: 0,
    get status() {
      read += 1
      return status
    },
  })
  const orders = [anOrder('O-3', 'PENDING'), anOrder('O-2', 'FILLED'), anOrder('O-1', 'PENDING')]
  expect(countByStatus(orders)).toEqual({ PENDING: 2, FILLED: 1 })
  expect(countByStatus(orders)).toEqual({ PENDING: 2, FILLED: 1 })
  expect(read).toBe(3)
  expect(countByStatus([...orders, anOrder('O-0', 'REJECTED')])).toEqual({
    PENDING: 2,
    FILLED: 1,
    REJECTED: 1,
  })
})

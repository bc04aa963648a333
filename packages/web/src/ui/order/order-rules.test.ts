import { expect, test } from 'vitest'
import { describeOrder } from './order-rules.ts'

test('an order is described by id, side, quantity and instrument', () => {
  const order = { id: 7, side: 'SELL', quantity: 1250.5, instrument: 'BTCUSDT' }
  expect(describeOrder(order)).toBe('7 · SELL 1,250.5 BTCUSDT')
})

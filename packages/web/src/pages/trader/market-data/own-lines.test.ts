import { expect, test } from 'vitest'
import { anOrder, aPosition } from '#testkit/trading.ts'
import { exitOfLine, linesOf } from './own-lines.ts'

test('[ORD-60] the line of an order is movable only while no change or cancel of it is pending', () => {
  const change = { quantity: 1, price: 67_000 }
  const lines = linesOf(
    [
      anOrder({ id: 'O-1' }),
      anOrder({ id: 'O-2', pending_change: change }),
      anOrder({ id: 'O-3', cancel_requested: true }),
    ],
    [],
  )
  expect(lines.map(({ isMovable }) => isMovable)).toEqual([true, false, false])
})

test('[MKT-55] exit prices are movable dashed lines with the P&L at each', () => {
  const long = aPosition({ id: 'P-1', quantity: 0.5, entry_price: 66_000, stop_loss: 65_000 })
  const short = aPosition({ id: 'P-2', side: 'SHORT', quantity: 1, entry_price: 66_000, take_profit: 64_000 })
  const lines = linesOf([], [long, short]).filter(({ isMovable }) => isMovable)
  expect(lines).toMatchObject([
    { id: 'stop_loss P-1', price: 65_000, tone: 'down', isDashed: true, text: 'Stop-loss -$500.00' },
    { id: 'take_profit P-2', price: 64_000, tone: 'up', isDashed: true, text: 'Take-profit +$2,000.00' },
  ])
  expect(lines.map(({ id }) => exitOfLine(id))).toEqual([
    { exit: 'stop_loss', positionId: 'P-1' },
    { exit: 'take_profit', positionId: 'P-2' },
  ])
  expect(exitOfLine('O-12')).toBeUndefined()
})

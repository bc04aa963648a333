import { describe, expect, test } from 'vitest'
import { aPosition } from '#testkit/trading.ts'
import { describeHolder, describePosition, holderOf, summarize } from './position-summary.ts'

describe('position summary', () => {
  test('[POS-2] counts open, long and short positions', () => {
    const sides = ['LONG', 'SHORT', 'LONG', 'FLAT']
    expect(summarize(sides.map((side) => aPosition({ side })))).toMatchObject({ open: 4, long: 2, short: 1 })
    expect(summarize([])).toEqual({ open: 0, totalPnl: 0, long: 0, short: 0 })
  })

  test('[POS-3] adds unrealized and realized P&L of every position', () => {
    const positions = [
      aPosition({ unrealized_pnl: 180.6, realized_pnl: 40.25 }),
      aPosition({ unrealized_pnl: -65.1, realized_pnl: 0 }),
      aPosition({ unrealized_pnl: 0, realized_pnl: -12.5 }),
    ]
    expect(summarize(positions).totalPnl).toBe(143.25)
  })

  test('[POS-3] what cancels out leaves nothing, neither gain nor loss', () => {
    const positions = [
      aPosition({ unrealized_pnl: 0.1, realized_pnl: 0.2 }),
      aPosition({ unrealized_pnl: -0.3, realized_pnl: 0 }),
    ]
    expect(summarize(positions).totalPnl).toBe(0)
  })

  test('[POS-10] says which strategy holds it, or that it was opened by hand', () => {
    const ofStrategy = aPosition({ strategy: 'S-4', strategy_name: 'Desk arbitrage' })
    expect(holderOf(ofStrategy)).toBe('Desk arbitrage')
    expect(describeHolder(ofStrategy)).toBe(
      'Held by strategy Desk arbitrage, which may reopen it while it runs.',
    )
    expect(holderOf(aPosition({ strategy: 'S-4' }))).toBe('S-4')
    expect(holderOf(aPosition({ strategy: 'MANUAL' }))).toBe('Manual')
    expect(describeHolder(aPosition({ strategy: 'MANUAL' }))).toBe('Opened manually.')
    expect(holderOf(aPosition())).toBeUndefined()
    expect(describeHolder(aPosition())).toBeUndefined()
  })

  test('a position is described by id, side, quantity and instrument', () => {
    expect(describePosition(aPosition({ id: 3, side: 'SHORT' }))).toBe('3 · SHORT 0.15 BTCUSDT')
  })
})

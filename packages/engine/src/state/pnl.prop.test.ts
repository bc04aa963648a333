import fc from 'fast-check'
import { expect, test } from 'vitest'
import { generated } from '#testkit/generated.ts'
import { moneyFromUnits, plus } from '#values/money.ts'
import { netQuantityFromLots, quantityFromLots } from '#values/quantity.ts'
import { realisedBy, signedLots, signedNotional } from './pnl.ts'

const fills = fc.array(
  fc.record({
    side: fc.constantFrom('BUY' as const, 'SELL' as const),
    lots: fc.integer({ min: 1, max: 1_000 }),
    ticks: fc.integer({ min: 1, max: 10_000_000 }),
  }),
  { minLength: 1, maxLength: 40 },
)

interface Running {
  quantity: ReturnType<typeof netQuantityFromLots>
  cost: ReturnType<typeof moneyFromUnits>
  realised: bigint
}

function run(history: readonly { side: 'BUY' | 'SELL'; lots: number; ticks: number }[]): Running {
  const held: Running = { quantity: netQuantityFromLots(0), cost: moneyFromUnits(0n), realised: 0n }
  for (const { side, lots, ticks } of history) {
    const traded = {
      side,
      quantity: quantityFromLots(lots),
      notional: moneyFromUnits(BigInt(lots) * BigInt(ticks) * 10n),
    }
    const realised = realisedBy(held.quantity === 0 ? undefined : held, traded)
    held.cost = plus(plus(held.cost, signedNotional(traded)), realised)
    held.quantity = netQuantityFromLots(held.quantity + signedLots(traded))
    held.realised += BigInt(realised)
  }
  return held
}

test('a flat position has no cost left, and what was realised is what was received less what was paid', () => {
  fc.assert(
    fc.property(fills, (history) => {
      const net = history.reduce((sum, { side, lots }) => sum + (side === 'BUY' ? lots : -lots), 0)
      if (net !== 0) {
        history = [...history, { side: net > 0 ? 'SELL' : 'BUY', lots: Math.abs(net), ticks: 777 }]
      }
      const flows = history.reduce(
        (sum, { side, lots, ticks }) => sum + BigInt(lots * (side === 'BUY' ? -1 : 1)) * BigInt(ticks) * 10n,
        0n,
      )
      const { quantity: lots, cost, realised } = run(history)
      expect({ lots, cost, realised }).toEqual({ lots: 0, cost: 0, realised: flows })
    }),
    generated('pnlCases'),
  )
})

test('cost has the sign of the quantity, and the average stays between the cheapest and the dearest fill', () => {
  fc.assert(
    fc.property(fills, (history) => {
      const { quantity: lots, cost } = run(history)
      if (lots === 0) return
      const average = Number(cost) / lots / 10
      const ticks = history.map((fill) => fill.ticks)
      expect(average).toBeGreaterThanOrEqual(Math.min(...ticks) - 1)
      expect(average).toBeLessThanOrEqual(Math.max(...ticks) + 1)
    }),
    generated('pnlCases'),
  )
})

test('a smaller close never moves the average by more than a unit of money per lot', () => {
  fc.assert(
    fc.property(fc.integer({ min: 2, max: 999 }), fc.integer({ min: 1, max: 9_999_999 }), (lots, ticks) => {
      const opened = {
        quantity: netQuantityFromLots(lots),
        cost: moneyFromUnits(BigInt(lots) * BigInt(ticks) * 10n + 1n),
      }
      const traded = {
        side: 'SELL' as const,
        quantity: quantityFromLots(1),
        notional: moneyFromUnits(BigInt(ticks) * 10n),
      }
      const realised = realisedBy(opened, traded)
      const cost = plus(plus(opened.cost, signedNotional(traded)), realised)
      expect(Math.abs(Number(cost) / (lots - 1) - Number(opened.cost) / lots)).toBeLessThan(1)
    }),
  )
})

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createRandom, type Random } from '#market/random.ts'
import type { PlaceOrder } from '#model/input.ts'
import type { Order } from '#model/order.ts'
import { positionKey } from '#model/position.ts'
import { computeExposure } from '#risk/exposure.ts'
import { generated } from '#testkit/generated.ts'
import { createLab, type Lab } from '#testkit/lab.ts'
import { idFrom, type StrategyId } from '#values/ids.ts'
import { minus, moneyToNumber, sizeOf } from '#values/money.ts'
import { quantityToNumber } from '#values/quantity.ts'
import type { OrderPreview } from './preview.ts'

const INSTRUMENTS = ['BTCUSDT', 'BTCUSDT-PERP', 'ETHUSDT.BYBIT', 'ETHUSDT-PERP'] as const
const STRATEGIES = [undefined, idFrom<StrategyId>('alpha')]

test('[ORD-53] a preview is what then happens: cost, fee, margin, use of limits and the denial', () => {
  const seen = { filled: 0, resting: 0, denied: 0, cut: 0 }
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 2 ** 31 - 1 }), (seed) => {
      const random = createRandom(seed)
      const lab = createLab({ opening: { cash: 20_000 } })
      for (let count = 0; count < 12; count++) {
        for (const instrument of INSTRUMENTS) quote(lab, random, instrument)
        if (count < 8) lab.run(anyOrder(random, false))
      }
      const order = anyOrder(random, true)
      const entries = lab.entries.length
      const preview = lab.preview(order)
      expect(lab.entries).toHaveLength(entries)
      const placed = lab.place(order)
      mustMatch(lab, preview, placed)
      if (preview.denial) seen.denied += 1
      else if (preview.cancelled > 0) seen.cut += 1
      else if (preview.rest.quantity > 0) seen.resting += 1
      else seen.filled += 1
    }),
    generated('orderPreviews'),
  )
  for (const count of Object.values(seen)) expect(count).toBeGreaterThan(2)
})

function mustMatch(lab: Lab, preview: OrderPreview, placed: Order): void {
  const { terms } = placed
  const { lot } = lab.instruments.get(terms.instrument)
  if (preview.denial) {
    const { sentence, ...denial } = preview.denial
    expect(placed).toMatchObject({ state: 'DENIED', reason: denial })
    expect(sentence).not.toBe('')
    return
  }
  expect(preview.fill).toMatchObject({
    quantity: quantityToNumber(placed.filled, lot),
    cost: moneyToNumber(sizeOf(placed.filledValue)),
    fee: moneyToNumber(placed.fees),
  })
  const isWorking = lab.state.orders.working.has(placed.id)
  const left = quantityToNumber(placed.quantity, lot) - quantityToNumber(placed.filled, lot)
  expect(isWorking ? preview.rest.quantity : preview.cancelled).toBeCloseTo(left, 8)
  expect(preview.isMadeReduceOnly).toBe(terms.isMadeReduceOnly ?? false)
  const position = lab.state.positions.open.get(positionKey(terms.strategy, terms.instrument))
  expect(preview.position.after).toBe(position ? quantityToNumber(position.quantity, lot) : 0)
  const { marks } = lab.engine.computeLiveFigures()
  const now = computeExposure({ state: lab.state, instruments: lab.instruments, marks, staleAfterMs: 60_000 })
  const { limits, equityAtDayStart } = lab.state.risk
  expect(preview.margin.after).toBe(moneyToNumber(now.margin))
  expect(preview.margin.availableAfter).toBe(Math.max(0, moneyToNumber(minus(now.equity, now.margin))))
  expect(preview.limits).toMatchObject({
    positionSize: { after: moneyToNumber(now.worstExposure), limit: moneyToNumber(limits.maxPositionSize) },
    dailyLoss: { after: Math.max(0, moneyToNumber(minus(equityAtDayStart, now.equity))) },
    positions: { after: now.positionCount, limit: limits.maxPositions },
    margin: { after: moneyToNumber(now.margin), limit: moneyToNumber(now.equity) },
  })
}

function quote(lab: Lab, random: Random, instrument: string): void {
  const base = instrument.startsWith('BTC') ? 50_000 : 3_000
  const bid = Math.round(base * (0.99 + 0.02 * random.uniform()) * 10) / 10
  const ask = Math.round((bid + 0.1 + 5 * random.uniform()) * 10) / 10
  lab.quote({ instrument, bid, ask, size: Math.round((0.01 + random.uniform() ** 2) * 1000) / 1000 })
}

/** Resting reduce-only orders are left out: a fill may cut them, which a preview does not count. */
function anyOrder(random: Random, mayReduceOnly: boolean): PlaceOrder {
  const pick = <Item>(items: readonly Item[]) => items[Math.floor(random.uniform() * items.length)] as Item
  const instrument = pick(INSTRUMENTS)
  const orderType = pick(['MARKET', 'MARKET', 'LIMIT', 'LIMIT', 'STOP'] as const)
  const timeInForce = orderType === 'LIMIT' ? pick(['GTC', 'GTC', 'IOC', 'FOK'] as const) : undefined
  const strategy = pick(STRATEGIES)
  const base = instrument.startsWith('BTC') ? 50_000 : 3_000
  return {
    type: 'PlaceOrder',
    instrument,
    side: pick(['BUY', 'SELL'] as const),
    orderType,
    quantity: Math.round((random.uniform() ** 3 * 12_000 * 100) / base + 1) / 100,
    price: Math.round(base * (0.98 + 0.04 * random.uniform()) * 10) / 10,
    reduceOnly: mayReduceOnly && random.uniform() < 0.1,
    ...(strategy && { strategy }),
    ...(timeInForce && { timeInForce }),
  }
}

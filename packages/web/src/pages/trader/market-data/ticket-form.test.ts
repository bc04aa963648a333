import type { Instrument, OrderPreview } from '@binnacle/contract'
import { expect, test } from 'vitest'
import { BLANK_TICKET, quantityShares } from './ticket-form.ts'

const BTC: Instrument = { id: 'BTCUSDT', lot_size: 0.00001 }
const use = (before: number, limit: number) => ({ before, after: before, limit })
const PREVIEW: OrderPreview = {
  quote: { bid: 50_000, ask: 50_010, spread: 10, at: '2026-01-05T12:00:00.000Z' },
  fill: null,
  rest: { quantity: 0, price: null, cost: 0, fee: 0 },
  cancelled: 0,
  made_reduce_only: false,
  position: { before: 0, after: 0 },
  margin: { before: 0, after: 0, available_after: 0 },
  limits: {
    max_order_size: use(0, 10_000),
    max_position_size: use(0, 50_000),
    max_daily_loss: use(0, 5_000),
    max_positions: use(0, 10),
    margin: use(0, 100_000),
  },
}

test('[MKT-57] shares are of what the order size allows, in whole lots', () => {
  const form = { ...BLANK_TICKET, price: '40000' }
  expect(quantityShares(form, BTC, PREVIEW)).toEqual([
    { label: '10 %', quantity: '0.025' },
    { label: '25 %', quantity: '0.0625' },
    { label: '50 %', quantity: '0.125' },
    { label: 'Max', quantity: '0.25' },
  ])
  const atMarket = quantityShares({ ...form, type: 'MARKET' }, BTC, PREVIEW)
  expect(atMarket.at(-1)).toEqual({ label: 'Max', quantity: '0.19996' })
})

test('[MKT-57] what is left of the position size counts, and before the first preview no quantity is known', () => {
  const limits = { ...PREVIEW.limits, max_position_size: use(46_000, 50_000) }
  const form = { ...BLANK_TICKET, price: '40000' }
  expect(quantityShares(form, BTC, { ...PREVIEW, limits }).at(-1)?.quantity).toBe('0.1')
  const full = { ...PREVIEW.limits, max_position_size: use(60_000, 50_000) }
  expect(quantityShares(form, BTC, { ...PREVIEW, limits: full }).at(-1)?.quantity).toBe('0')
  expect(quantityShares(form, BTC, undefined)).toEqual(
    ['10 %', '25 %', '50 %', 'Max'].map((label) => ({ label, quantity: undefined })),
  )
})

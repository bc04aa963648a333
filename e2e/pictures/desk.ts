import type { Page } from '@playwright/test'
import { expect } from '#server-fixtures.ts'

export const PERPETUAL = 'BTCUSDT-PERP'
const ORDERS = [
  { instrument: PERPETUAL, side: 'BUY', type: 'MARKET', quantity: 0.05 },
  { instrument: 'ETHUSDT-PERP.BYBIT', side: 'SELL', type: 'MARKET', quantity: 0.8 },
  { instrument: 'BTCUSDT', side: 'BUY', type: 'MARKET', quantity: 0.02 },
  { instrument: PERPETUAL, side: 'SELL', type: 'MARKET', quantity: 0.01 },
  { instrument: PERPETUAL, side: 'BUY', type: 'MARKET', quantity: 3 },
  { instrument: PERPETUAL, side: 'BUY', type: 'LIMIT', quantity: 0.02, price: 58_000 },
  { instrument: PERPETUAL, side: 'SELL', type: 'LIMIT', quantity: 0.02, price: 63_000 },
]

/** Orders and fills of the simulated market; one is refused by a risk limit. */
export async function placeOrders(page: Page): Promise<void> {
  for (const order of ORDERS) await page.request.post('/api/orders', { data: order })
}

/** A running strategy whose averages cross every few seconds. */
export async function addStrategy(page: Page): Promise<void> {
  const { id } = await post(page, '/api/strategies', {
    name: 'Trend BTC',
    type: 'momentum',
    description: 'Follows the crossing of two averages',
    config: { instrument: PERPETUAL, fast_bars: 2, slow_bars: 5, threshold_bps: 0 },
  })
  await post(page, `/api/strategies/${id}/start`, {})
}

/** A completed backtest over the last hours, and its id. */
export async function runBacktest(page: Page): Promise<string> {
  const to = new Date()
  const from = new Date(to.getTime() - 20 * 3_600_000)
  const { id } = await post(page, '/api/nautilus/backtest', {
    strategy: { type: 'momentum', config: {} },
    instrument: PERPETUAL,
    from: from.toISOString(),
    to: to.toISOString(),
  })
  const status = async () => (await (await page.request.get(`/api/nautilus/backtest/${id}`)).json()).status
  await expect.poll(status).toBe('completed')
  return String(id)
}

/** The header's figures and the font are there, and nothing is loading. */
export async function settled(page: Page): Promise<void> {
  await expect(page.getByText('Simulated venues')).toBeVisible()
  await expect(page.getByText(/^Loading/)).toHaveCount(0)
  await page.evaluate(() => document.fonts.ready)
}

async function post(page: Page, path: string, data: object) {
  const reply = await page.request.post(path, { data })
  expect(reply.ok(), `${path}: ${await reply.text()}`).toBe(true)
  return reply.json()
}

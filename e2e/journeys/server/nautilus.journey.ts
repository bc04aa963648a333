import type { Page } from '@playwright/test'
import { expect, test } from '#nautilus-fixtures.ts'
import { OrdersPage } from '#pages/trader/orders.ts'
import { PositionsPage } from '#pages/trader/positions.ts'
import { StrategiesPage } from '#pages/trader/strategies.ts'
import { LONG } from '#tier.ts'

/** Settings with which each type trades within seconds of the simulated market. */
const STRATEGIES = [
  { type: 'momentum', config: { fast_bars: 1, slow_bars: 2, threshold_bps: 0 } },
  { type: 'mean_reversion', config: { window_bars: 5, entry_score: 0.1, exit_score: 0, min_edge_bps: 0 } },
  {
    type: 'arbitrage',
    config: {
      instruments: ['BTC', 'ETH', 'SOL'].flatMap((base) => [`${base}USDT-PERP.SIM`, `${base}USDT-PERP.ALT`]),
      min_profit_bps: 0,
      max_pairs: 3,
      max_quote_age_s: 60,
    },
  },
  { type: 'market_making', config: { half_spread_bps: 0.01, requote_bps: 0.01, requote_s: 0.1 } },
] as const

async function getJson(page: Page, path: string) {
  return (await page.request.get(path)).json()
}

async function ask(orders: OrdersPage, type: 'MARKET' | 'LIMIT', quantity: string, price?: string) {
  await orders.openForm()
  await orders.field('Type').selectOption(type)
  await orders.field('Quantity').fill(quantity)
  if (price !== undefined) await orders.field('Price').fill(price)
  await orders.submit()
}

test(
  '[NAUT-133] over a NautilusTrader node strategies of every type trade, orders by hand fill and are cancelled, limits deny, and the emergency control leaves nothing open',
  LONG,
  async ({ page }) => {
    // The strategies trade on a market in real time.
    test.setTimeout(900_000)
    await test.step('the engine is the node', async () => {
      await page.goto('/trader')
      await expect(page.getByText(/nautilus-sandbox/).first()).toBeVisible()
    })
    const strategies = new StrategiesPage(page)
    await test.step('a strategy of each type is added, started on its screen and trades', async () => {
      for (const { type, config } of STRATEGIES) {
        const added = await page.request.post('/api/strategies', {
          data: { name: `All of ${type}`, type, description: '', config },
        })
        expect(added.status(), await added.text()).toBe(201)
      }
      await strategies.open()
      for (const { type } of STRATEGIES) {
        await strategies.action(`All of ${type}`, /^start/i).click()
        await expect(strategies.action(`All of ${type}`, /^stop/i)).toBeVisible()
      }
      const idle = async () => {
        const { strategies: rows } = await getJson(page, '/api/strategies')
        return rows
          .filter((row: { fills: number }) => row.fills === 0)
          .map((row: { type: string }) => row.type)
      }
      await expect.poll(idle, { timeout: 240_000 }).toEqual([])
      // Their orders would push those by hand out of sight; arbitrage, which trades rarely, goes on.
      for (const { type } of STRATEGIES.filter((each) => each.type !== 'arbitrage')) {
        await strategies.action(`All of ${type}`, /^stop/i).click()
        await expect(strategies.action(`All of ${type}`, /^start/i)).toBeVisible()
      }
    })
    const orders = new OrdersPage(page)
    await test.step('orders by hand fill and are cancelled, and a limit denies', async () => {
      await orders.open()
      await ask(orders, 'MARKET', '0.01')
      await expect(orders.form).toBeHidden()
      const byHand = orders.rows.filter({ hasText: 'MANUAL' })
      await expect(byHand.filter({ hasText: 'FILLED' }).first()).toBeVisible()
      await ask(orders, 'LIMIT', '0.01', '1000')
      await expect(orders.form).toBeHidden()
      const resting = orders.rows.filter({ has: page.getByRole('cell', { name: '1,000.00', exact: true }) })
      await expect(resting).toContainText('PENDING')
      await resting.getByRole('button', { name: 'Cancel' }).click()
      await orders.cancelQuestion.yes()
      await expect(resting).toContainText('CANCELLED')
      await ask(orders, 'MARKET', '10')
      await expect(orders.form.getByRole('alert')).toHaveText(/Max Order Size is 10,000\.00/)
    })
    await test.step('positions are shown', async () => {
      const positions = new PositionsPage(page)
      await positions.open()
      await expect(positions.rows.filter({ hasText: 'BTCUSDT-PERP' }).first()).toBeVisible()
    })
    await test.step('the emergency control stops, cancels and closes everything', async () => {
      await page.getByRole('button', { name: 'Emergency' }).click()
      const control = page.getByRole('complementary', { name: 'Emergency control' })
      const level = control.getByRole('region', { name: 'Halt, cancel all and close all' })
      await level.getByRole('button', { name: /^Hold 1\.5 s/ }).focus()
      await page.keyboard.down('Enter')
      const state = async () => (await getJson(page, '/api/trading-state')).state
      await expect.poll(state, { timeout: 120_000 }).toBe('HALTED')
      await page.keyboard.up('Enter')
      await expect(level).toContainText('All closed')
      expect((await getJson(page, '/api/positions')).positions).toEqual([])
      await strategies.open()
      for (const { type } of STRATEGIES) {
        await expect(strategies.action(`All of ${type}`, /^start/i)).toBeVisible()
      }
      await orders.open()
      await ask(orders, 'MARKET', '0.01')
      await expect(orders.form.getByRole('alert')).toHaveText(/Trading is halted/)
    })
  },
)

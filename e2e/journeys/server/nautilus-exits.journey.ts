import type { Locator, Page } from '@playwright/test'
import { OrdersPage } from '#pages/trader/orders.ts'
import { PositionsPage } from '#pages/trader/positions.ts'
import { expect, test } from '#scripted-node.ts'

const INSTRUMENT = 'BTCUSDT-PERP.SIM'

async function buy(page: Page, quantity: number): Promise<void> {
  const order = { instrument: INSTRUMENT, side: 'BUY', type: 'MARKET', quantity, price: 0 }
  const reply = await page.request.post('/api/orders', { data: order })
  expect(await reply.json()).toMatchObject({ status: 'FILLED' })
}

async function saveExits(page: Page, opener: Locator, stop: string, profit: string): Promise<Locator> {
  await opener.click()
  const dialog = page.getByRole('dialog', { name: 'Stop-Loss and Take-Profit' })
  await dialog.getByLabel('Stop-loss').fill(stop)
  await dialog.getByLabel('Take-profit').fill(profit)
  await dialog.getByRole('button', { name: 'Save Exits' }).click()
  return dialog
}

test('[NAUT-205] over a NautilusTrader node a position is closed in part, and its take-profit and its stop-loss close it on the screen, each ending the other', async ({
  page,
  node,
  watch,
}) => {
  watch.allowErrors(/422/)
  const positions = new PositionsPage(page)
  const opener = page.getByRole('button', { name: /^Stop-loss and take-profit of / })
  await node.quote(INSTRUMENT, 60_000)
  await buy(page, 0.04)
  await positions.open()

  await test.step('an exit price that the market has reached is refused at its field', async () => {
    const dialog = await saveExits(page, opener, '60001', '')
    await expect(dialog.getByLabel('Stop-loss')).toHaveAccessibleDescription(/60,?000/)
    await dialog.getByRole('button', { name: 'Cancel' }).click()
  })
  await test.step('both prices are set, and a partial close keeps them', async () => {
    await expect(await saveExits(page, opener, '59000', '61000')).toBeHidden()
    await expect(opener).toHaveText('59,000.00 / 61,000.00')
    await page.getByRole('button', { name: 'Close Part' }).click()
    const part = page.getByRole('dialog', { name: 'Close Part of a Position' })
    await part.getByRole('button', { name: '25 %' }).click()
    await part.getByRole('button', { name: 'Close Part' }).click()
    await expect(part).toBeHidden()
    await expect(positions.rows.getByRole('cell', { name: '0.03', exact: true })).toBeVisible()
    await expect(opener).toHaveText('59,000.00 / 61,000.00')
  })
  await test.step('a quote between them closes nothing, one at the take-profit closes all', async () => {
    await node.quote(INSTRUMENT, 60_999)
    await expect(positions.rows).toContainText('60,999')
    await node.quote(INSTRUMENT, 61_000)
    await expect(opener).toBeHidden()
  })
  await test.step('the stop-loss has ended with it: the next position under the same id has none', async () => {
    await node.quote(INSTRUMENT, 58_000)
    await node.quote(INSTRUMENT, 60_000)
    await buy(page, 0.02)
    await expect(opener).toHaveText('Set')
  })
  await test.step('the stop-loss of that one closes it', async () => {
    await expect(await saveExits(page, opener, '59500', '62000')).toBeHidden()
    await node.quote(INSTRUMENT, 59_500)
    await expect(opener).toBeHidden()
    await node.quote(INSTRUMENT, 62_000)
  })
  await test.step('each was closed by one order, which names its price, and nothing works on', async () => {
    const { orders } = await (await page.request.get('/api/orders')).json()
    const filled = orders.map(
      (order: Record<string, unknown>) => `${order.side} ${order.quantity} ${order.status}`,
    )
    expect(filled.sort()).toEqual([
      'BUY 0.02 FILLED',
      'BUY 0.04 FILLED',
      'SELL 0.01 FILLED',
      'SELL 0.02 FILLED',
      'SELL 0.03 FILLED',
    ])
    const list = new OrdersPage(page)
    await list.open()
    await list.rows.filter({ hasText: '0.03' }).getByRole('link').first().click()
    const drawer = page.getByRole('complementary', { name: /^Order / })
    await expect(drawer).toContainText(/take-profit.*61,000/i)
  })
})

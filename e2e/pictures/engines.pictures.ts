import { resolve } from 'node:path'
import { expect, test } from '#two-engines.ts'
import { placeOrders, settled } from './desk.ts'

const IMAGES = resolve(import.meta.dirname, '../../docs/images')

test('the picture of several engines', async ({ page }) => {
  await placeOrders(page)
  const order = { instrument: 'SOLUSDT-PERP', side: 'BUY', type: 'LIMIT', quantity: 4, price: 120 }
  await page.request.post('/api/orders', { data: order, headers: { 'binnacle-engine': 'tokyo' } })
  await page.setViewportSize({ width: 1440, height: 900 })
  await page.goto('/trader/orders?engines=all')
  await expect(page.getByText('SOLUSDT-PERP').first()).toBeVisible()
  await expect(page.getByText('BTCUSDT-PERP').first()).toBeVisible()
  await expect(page.getByRole('combobox', { name: 'Engine' })).toBeVisible()
  await settled(page)
  await page.screenshot({ path: `${IMAGES}/engines.png` })
})

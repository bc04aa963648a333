import { resolve } from 'node:path'
import type { Page } from '@playwright/test'
import { expect, test } from '#server-fixtures.ts'

const IMAGES = resolve(import.meta.dirname, '../../docs/images')
const DESK = { width: 1440, height: 900 }
const PHONE = { width: 390, height: 844 }

const PERPETUAL = 'BTCUSDT-PERP'
const ORDERS = [
  { instrument: PERPETUAL, side: 'BUY', type: 'MARKET', quantity: 0.05 },
  { instrument: 'ETHUSDT-PERP.BYBIT', side: 'SELL', type: 'MARKET', quantity: 0.8 },
  { instrument: 'BTCUSDT', side: 'BUY', type: 'MARKET', quantity: 0.02 },
  { instrument: PERPETUAL, side: 'SELL', type: 'MARKET', quantity: 0.01 },
  { instrument: PERPETUAL, side: 'BUY', type: 'MARKET', quantity: 3 },
  { instrument: PERPETUAL, side: 'BUY', type: 'LIMIT', quantity: 0.02, price: 58_000 },
  { instrument: PERPETUAL, side: 'SELL', type: 'LIMIT', quantity: 0.02, price: 63_000 },
]

test('the pictures of the README, with orders and fills of the simulated market', async ({
  page,
  server,
}) => {
  for (const order of ORDERS) await page.request.post(`${server.origin}/api/orders`, { data: order })

  await page.setViewportSize(DESK)
  await page.goto('/trader/orders')
  await expect(page.getByText('REJECTED', { exact: true })).toBeVisible()
  await settled(page)
  await page.screenshot({ path: `${IMAGES}/light.png` })

  await chooseTheme(page, 'dark')
  await page.goto(`/trader/market-data?instrument=${PERPETUAL}&interval=15m`)
  await expect(page.getByText(/^C \d/)).toBeVisible()
  await settled(page)
  await page.screenshot({ path: `${IMAGES}/dark.png` })

  await chooseTheme(page, 'light')
  await page.setViewportSize(PHONE)
  await page.goto('/trader/positions')
  await expect(page.getByText(PERPETUAL, { exact: true })).toBeVisible()
  await settled(page)
  await page.screenshot({ path: `${IMAGES}/phone.png` })
})

/** The header's figures and the font are there. */
async function settled(page: Page): Promise<void> {
  await expect(page.getByText('Simulated venues')).toBeVisible()
  await page.evaluate(() => document.fonts.ready)
}

async function chooseTheme(page: Page, theme: 'light' | 'dark'): Promise<void> {
  await page.evaluate(
    (chosen) => localStorage.setItem('binnacle.preferences', JSON.stringify({ theme: chosen })),
    theme,
  )
}

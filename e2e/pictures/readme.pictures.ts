import { resolve } from 'node:path'
import type { Page } from '@playwright/test'
import { expect, test } from '#server-fixtures.ts'
import { PERPETUAL, placeOrders, settled } from './desk.ts'

const IMAGES = resolve(import.meta.dirname, '../../docs/images')
const DESK = { width: 1440, height: 900 }
const PHONE = { width: 390, height: 844 }

test('the pictures of the README, with orders and fills of the simulated market', async ({ page }) => {
  await placeOrders(page)

  await page.setViewportSize(DESK)
  await page.goto('/trader/orders')
  await expect(page.getByText('REJECTED', { exact: true }).first()).toBeVisible()
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
  await expect(page.getByText(PERPETUAL, { exact: true }).first()).toBeVisible()
  await settled(page)
  await page.screenshot({ path: `${IMAGES}/phone.png` })
})

async function chooseTheme(page: Page, theme: 'light' | 'dark'): Promise<void> {
  await page.evaluate(
    (chosen) => localStorage.setItem('binnacle.preferences', JSON.stringify({ theme: chosen })),
    theme,
  )
}

import { resolve } from 'node:path'
import { expect, test } from '#server-fixtures.ts'
import { addStrategy, placeOrders, runBacktest, settled } from './desk.ts'

const IMAGES = resolve(import.meta.dirname, '../../docs/images')

/** A screen of the user guide: its picture, its address, and what it shows once it is loaded. */
const SCREENS: readonly (readonly [picture: string, path: string, shown: string | RegExp])[] = [
  ['trader-panel', '/trader', 'P&L today'],
  ['strategies', '/trader/strategies', 'Trend BTC'],
  ['orders', '/trader/orders', 'REJECTED'],
  ['positions', '/trader/positions', 'BTCUSDT-PERP'],
  ['risk', '/trader/risk', 'Max Order Size'],
  ['market-data', '/trader/market-data?instrument=BTCUSDT-PERP&interval=15m', /^C \d/],
  ['performance', '/trader/performance', 'From gross to net'],
  ['backtesting', '/trader/backtesting?run=RUN', 'Sharpe'],
  ['alerts', '/trader/alerts', 'Alerts & Notifications'],
  ['admin-panel', '/admin', 'Admin Panel'],
  ['database', '/admin/database', 'PostgreSQL'],
  ['components', '/admin/components', 'State history'],
  ['features', '/admin/features', 'Live Trading'],
  ['adapters', '/admin/adapters', 'Binance'],
  ['monitoring', '/admin/monitoring', 'CPU Usage'],
  ['settings', '/admin/settings', 'System Name'],
  ['admin-database', '/admin/database-management', 'Audit Log'],
  ['api-configuration', '/admin/api-config', 'Trading API'],
  ['database-management', '/admin/db-management', 'Connections'],
]

test('the pictures of the user guide', async ({ page }) => {
  await placeOrders(page)
  await addStrategy(page)
  const run = await runBacktest(page)
  await page.setViewportSize({ width: 1440, height: 900 })
  await page.goto('/trader/strategies?strategy=S-1')
  await expect(page.getByText(/wanted a position/).first()).toBeVisible()
  // The log is at the end of the drawer, and short as yet.
  await page.mouse.move(1_250, 500)
  await page.mouse.wheel(0, 5_000)
  await expect(page.getByText(/^Added/)).toBeInViewport()
  await settled(page)
  await page.screenshot({ path: `${IMAGES}/strategy-log.png` })
  for (const [picture, path, shown] of SCREENS) {
    await page.goto(path.replace('RUN', run))
    await expect(page.getByText(shown).filter({ visible: true }).first()).toBeVisible()
    await settled(page)
    await page.screenshot({ path: `${IMAGES}/${picture}.png` })
  }
})

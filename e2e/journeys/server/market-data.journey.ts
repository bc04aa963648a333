import { expectAccessible, expectNoSidewaysScroll, expectNoViolations } from '#axe.ts'
import { MarketDataPage } from '#pages/trader/market-data.ts'
import { expect, test } from '#server-fixtures.ts'
import { EDGE } from '#tier.ts'

test('[MKT-30] [MKT-46] the watchlist has live prices, is reordered by mouse and remembered, and axe finds nothing', async ({
  page,
}) => {
  const market = new MarketDataPage(page)
  await market.open()
  await expect(market.watched.first()).toContainText('BTCUSDT')
  const shown = await market.watched.first().innerText()
  await expect.poll(() => market.watched.first().innerText()).not.toBe(shown)
  const third = await market.watched.nth(2).locator('b').getAttribute('title')
  await market.watched.nth(2).dragTo(market.watched.first())
  await expect(market.watched.first().locator('b')).toHaveAttribute('title', String(third))
  await page.reload()
  await expect(market.watched.first().locator('b')).toHaveAttribute('title', String(third))
  await expect(market.legend).toBeVisible()
  await expectAccessible(page)
})

test('[MKT-31] [MKT-33] a link opens its chart, which live bars continue', EDGE, async ({ page }) => {
  const market = new MarketDataPage(page)
  await page.goto('/trader/market-data?instrument=ETHUSDT&interval=1s&indicators=ema:5')
  await expect(page.getByRole('heading', { name: 'ETHUSDT' })).toBeVisible()
  await expect(market.interval('1s')).toBeChecked()
  await expect(market.legend).toBeVisible()
  const first = await market.legend.innerText()
  await expect.poll(() => market.legend.innerText()).not.toBe(first)
  await market.interval('1h').click()
  await expect(market.interval('1h')).toBeChecked()
  await expect(page).toHaveURL(/instrument=ETHUSDT&interval=1h/)
})

test(
  '[MKT-47] scrolling back loads older bars, and the bar under the pointer stays there',
  EDGE,
  async ({ page }) => {
    const market = new MarketDataPage(page)
    let release = () => {}
    const released = new Promise<void>((resolve) => {
      release = resolve
    })
    await page.route('**/api/market/bars*before=*', async (route) => {
      await released
      await route.continue()
    })
    // Seen in the page itself: by the time the request is reported, more clicks could have scrolled past the first bar.
    await page.addInitScript(() => {
      const { fetch } = window
      window.fetch = (...request) => {
        const [at] = request
        if (/market\/bars.*before=/.test(at instanceof Request ? at.url : String(at)))
          document.documentElement.dataset.asked = 'older bars'
        return fetch(...request)
      }
    })
    await page.goto('/trader/market-data?instrument=BTCUSDT&interval=1m&indicators=')
    await expect(market.legend).toBeVisible()
    for (let times = 0; times < 8; times++) await market.tool('Zoom out').click()
    const isAsked = () => page.evaluate(() => document.documentElement.dataset.asked !== undefined)
    await expect
      .poll(async () => {
        if (!(await isAsked())) await market.tool('Earlier').click()
        await market.painted()
        return await isAsked()
      })
      .toBe(true)
    const chart = await market.legend.boundingBox()
    if (chart === null) throw new Error('the chart is not shown')
    const point = async () => {
      await market.painted()
      await page.mouse.move(chart.x + 150, chart.y + 200)
      await market.painted()
    }
    await point()
    const before = await market.legend.innerText()
    const answered = page.waitForResponse(/market\/bars.*before=/)
    release()
    await answered
    await page.mouse.move(chart.x, chart.y + 600)
    await point()
    await expect(market.legend).toHaveText(before)
  },
)

test('[MKT-32] [MKT-37] [MKT-38] [MKT-45] an order is a line that is dragged to another price', async ({
  page,
}) => {
  const market = new MarketDataPage(page)
  await page.goto('/trader/market-data?instrument=SOLUSDT&interval=15m&indicators=')
  await market.ladderPrice.last().click()
  const ladderPrice = await market.ticket.getByLabel('Price').inputValue()
  await expect(async () => {
    await market.clickBelowCandles()
    await expect(market.ticket.getByLabel('Price')).not.toHaveValue(ladderPrice, { timeout: 5_000 })
  }).toPass()
  await market.ticket.getByLabel('Quantity').fill('3.7')
  await market.ticket.getByRole('button', { name: 'Create Order' }).click()
  const line = market.line('BUY LIMIT 3.7')
  await expect(line).toBeVisible()
  const row = market.orders.filter({ hasText: '3.7' })
  await expect(row).toBeVisible()
  // Dragged again if the scale moved the line away from the pointer.
  await expect(async () => {
    const box = await line.boundingBox()
    if (box === null) throw new Error('the line is not shown')
    await page.mouse.move(box.x + 10, box.y + box.height / 2)
    await page.mouse.down()
    await page.mouse.move(box.x + 10, box.y - 12, { steps: 4 })
    await page.mouse.up()
    await expect(market.modifyForm).toBeVisible({ timeout: 5_000 })
  }).toPass()
  const price = await market.modifyForm.getByLabel('Price').inputValue()
  await expect(row).not.toContainText(price)
  await market.modifyForm.getByRole('button', { name: 'Modify Order' }).click()
  await expect(row).toContainText(price)
  await row.getByRole('button', { name: 'Cancel' }).click()
  await page.getByRole('button', { name: 'Cancel Order' }).click()
  await expect(line).toHaveCount(0)
})

test('[MKT-37] [MKT-38] [MKT-46] by keyboard alone: choose, order, modify', EDGE, async ({ page }) => {
  const market = new MarketDataPage(page)
  await market.open()
  await market.watched.filter({ hasText: 'ETHUSDT' }).first().getByRole('button').first().press('Enter')
  await expect(page).toHaveURL(/instrument=ETHUSDT/)
  await market.interval('15m').focus()
  await page.keyboard.press('ArrowLeft')
  await expect(market.interval('5m')).toBeChecked()
  await market.ticket.getByLabel('Quantity').press('ControlOrMeta+a')
  await page.keyboard.type('0.31')
  await market.ladderPrice.last().press('Enter')
  await market.ticket.getByLabel('Price').press('ControlOrMeta+a')
  await page.keyboard.type('2500')
  await page.keyboard.press('Enter')
  const row = market.orders.filter({ hasText: '0.31' })
  await row.getByRole('button', { name: 'Modify' }).press('Enter')
  await market.modifyForm.getByLabel('Quantity').press('ControlOrMeta+a')
  await page.keyboard.type('0.29')
  await page.keyboard.press('Enter')
  await expect(market.orders.filter({ hasText: '0.29' })).toBeVisible()
})

test('[MKT-49] [MKT-50] [MKT-52] [MKT-53] [MKT-54] a kline dump is imported, its gaps listed, its bars shown', async ({
  page,
}) => {
  await page.goto('/trader/market-data?instrument=ETHUSDT&interval=1m')
  await page.getByRole('button', { name: 'Import' }).click()
  const dialog = page.getByRole('dialog', { name: 'Import Market Data' })
  await dialog
    .getByLabel('File')
    .setInputFiles({ name: 'ETHUSDT-1m.csv', mimeType: 'text/csv', buffer: Buffer.from(klineDump()) })
  await expect(dialog.getByLabel('Instrument')).toHaveValue('ETHUSDT')
  await dialog.getByRole('button', { name: 'Check File' }).click()
  await expect(dialog.getByRole('row', { name: /^4 / })).toContainText("'oops'")
  await dialog.getByRole('button', { name: 'Import', exact: true }).click()
  await dialog.getByRole('button', { name: 'Show on Chart' }).click()
  await expect(page).toHaveURL(/data_set=ethusdt-1m/)
  await expect(page.getByText(/^C 2,059\.00/)).toBeVisible()
  await page.getByRole('button', { name: /^History gaps/ }).click()
  await expect(page.getByRole('row', { name: /00:30:00.*00:40:00.*10/ })).toBeVisible()
  await expectNoViolations(page)
  await page.setViewportSize({ width: 390, height: 844 })
  await page.reload()
  await expect(page.getByLabel('Data', { exact: true })).toHaveValue('ethusdt-1m')
  await expectNoSidewaysScroll(page)
})

/** An hour of minutes without a header, in milliseconds, with ten missing and one that is no number. */
function klineDump(): string {
  const start = Date.UTC(2024, 0, 1)
  const minutes = Array.from({ length: 60 }, (_, minute) => minute)
  const rows = minutes.map((minute) => {
    const at = start + minute * 60_000
    const close = minute === 3 ? 'oops' : 2000 + minute
    return [at, 2000, 2100, 1900, close, 1.5, at + 59_999, 3000, 7, 0.7, 1400, 0].join(',')
  })
  return rows.filter((_, minute) => minute < 30 || minute >= 40).join('\n')
}

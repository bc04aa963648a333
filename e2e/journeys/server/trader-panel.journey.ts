import type { Page, Route } from '@playwright/test'
import { expectAccessible } from '#axe.ts'
import { TraderDashboardPage } from '#pages/trader/trader-dashboard.ts'
import { expect, test } from '#server-fixtures.ts'

const DAY_S = 86_400

/** Times of day are those of noon, so that no run of the journey meets the first minutes of a day. */
const NOON_S = Math.floor(Date.now() / 1000 / DAY_S) * DAY_S + DAY_S / 2

/** A day with a rise, a gap of an hour and two marks, as the server would have recorded it. */
async function answerSamples(route: Route): Promise<void> {
  const query = new URL(route.request().url()).searchParams
  const from = Date.parse(query.get('from') ?? '') / 1000
  const to = Date.parse(query.get('to') ?? '') / 1000
  const isGap = (at: number) => at % DAY_S >= 600 && at % DAY_S < 1200
  const times = Array.from({ length: (to - from) / 60 }, (_, index) => from + index * 60)
  const points = times.filter((at) => !isGap(at) && at < NOON_S).map((at) => [at, 5, 4, 6])
  const series = (query.get('series') ?? '').split(',').map((name) => ({ name, points, before: null }))
  const mark = (afterS: number, kind: string, text: string) => ({
    at: new Date((from + afterS) * 1000).toISOString(),
    kind,
    text,
  })
  const marks = [
    mark(120, 'halted', 'Trading is HALTED. Set by hand: news.'),
    mark(300, 'restart', 'The server was started.'),
  ]
  await route.fulfill({
    json: { from: query.get('from'), to: query.get('to'), step_s: 60, gap_s: 60, series, marks },
  })
}

const curve = (page: Page) => page.getByRole('figure', { name: /^P&L today from 00:00 to/ })

test('[TRD-12] [TRD-13] [TRD-16] [TRD-20] the panel of our server shows the day, the limits and the glance', async ({
  page,
}) => {
  const trader = new TraderDashboardPage(page)
  await trader.open()
  const today = page.getByRole('region', { name: 'P&L today' })
  await expect(today.getByText(/^[▲▼]? ?[+-]?\$[\d,]+\.\d\d$/).first()).toBeVisible()
  await expect(curve(page)).toBeVisible()
  await expect(curve(page).locator('canvas').first()).toBeVisible()
  await expect(page.getByRole('meter', { name: 'Total Exposure' })).toBeVisible()
  await expect(page.getByRole('meter', { name: 'Daily Loss' })).toBeVisible()
  for (const panel of ['P&L today', 'Risk Metrics', 'Positions', 'Working orders'])
    await expect(page.getByRole('region', { name: panel }).getByRole('img', { name: 'Live' })).toBeVisible()
  await today.getByRole('radio', { name: 'P&L' }).press('ArrowRight')
  await expect(page.getByRole('figure', { name: /^Equity today from 00:00 to/ })).toBeVisible()
})

test('[TRD-18] [TRD-19] [SHELL-8] [SHELL-9] marks are in words for a screen reader, and on the curve under the pointer; axe finds nothing', async ({
  page,
}) => {
  await page.clock.install({ time: NOON_S * 1000 })
  await page.route('**/api/samples?**', answerSamples)
  await new TraderDashboardPage(page).open()
  await expect(curve(page).getByRole('listitem')).toHaveText([
    '00:02 Trading is HALTED. Set by hand: news.',
    '00:05 The server was started.',
  ])
  await expectAccessible(page)
  // The curve goes through the lowest and the highest value of each minute.
  const readout = curve(page).getByText(/^\d\d:\d\d · \+\$[456]\.00 · yesterday \+\$[456]\.00$/)
  // Moved again if the curve has changed its size since.
  await expect(async () => {
    const box = await curve(page).locator('canvas').first().boundingBox()
    if (box === null) throw new Error('The curve is not painted')
    await page.mouse.move(0, 0)
    await page.mouse.move(box.x + box.width / 3, box.y + box.height / 2)
    await expect(readout).toBeVisible({ timeout: 5_000 })
  }).toPass()
})

test('[TRD-21] no panel moves while orders, prices and figures change', async ({ page }) => {
  await new TraderDashboardPage(page).open()
  await expect(curve(page)).toBeVisible()
  const orders = page.getByRole('region', { name: 'Working orders' })
  // Other journeys may have left orders at this server.
  await expect(orders).toContainText(/\d|No working orders\./)
  const boxes = () =>
    Promise.all(
      ['P&L today', 'Risk Metrics', 'Positions', 'Working orders', 'Engine Status'].map((name) =>
        page.getByRole('region', { name, exact: true }).boundingBox(),
      ),
    )
  let before = await boxes()
  // Until all is loaded.
  await expect(async () => {
    const earlier = before
    before = await boxes()
    expect(before).toEqual(earlier)
  }).toPass({ intervals: [1_000] })
  const placed = await page.request.post('/api/orders', {
    data: { instrument: 'BTCUSDT', side: 'BUY', type: 'LIMIT', quantity: 0.00123, price: 20_000 },
  })
  const { id } = await placed.json()
  await expect(orders.getByRole('cell', { name: '0.00123' })).toBeVisible()
  expect(await boxes()).toEqual(before)
  await page.request.delete(`/api/orders/${id}`)
})

/** Labels and figures that are cut, or lie outside their panel. */
async function misplaced(page: Page, panel: string): Promise<string[]> {
  return page.getByRole('region', { name: panel }).evaluate((card) => {
    const { left, right } = card.getBoundingClientRect()
    const cells = [...card.querySelectorAll('dt, dd')]
    const isMisplaced = (cell: Element) => {
      const box = cell.getBoundingClientRect()
      return cell.scrollWidth > cell.clientWidth || box.left < left || box.right > right
    }
    return cells.filter(isMisplaced).map(({ textContent }) => textContent ?? '')
  })
}

test('[TRD-61] no figure is cut or overlaps another, beside a drawer and at any width', async ({ page }) => {
  await page.setViewportSize({ width: 1440, height: 900 })
  await new TraderDashboardPage(page).open()
  await expect(curve(page)).toBeVisible()
  await expect(page.getByRole('meter', { name: 'Daily Loss' })).toBeVisible()
  const expectPlaced = async () => {
    for (const panel of ['P&L today', 'Risk Metrics'])
      await expect.poll(() => misplaced(page, panel), { message: panel }).toEqual([])
  }
  for (const width of [1440, 1280, 1200, 1000, 800, 600, 390]) {
    await test.step(`at ${width} px`, async () => {
      await page.setViewportSize({ width, height: 900 })
      await expectPlaced()
    })
  }
  await page.setViewportSize({ width: 1440, height: 900 })
  await page.getByRole('button', { name: 'Emergency', exact: true }).click()
  for (const width of [1440, 1280, 1200]) {
    await test.step(`at ${width} px beside the emergency control`, async () => {
      await page.setViewportSize({ width, height: 900 })
      await expect(page.getByRole('complementary', { name: 'Emergency control' })).toBeVisible()
      await expectPlaced()
    })
  }
})

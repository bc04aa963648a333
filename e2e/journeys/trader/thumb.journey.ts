import type { Locator } from '@playwright/test'
import { expectNoSidewaysScroll, expectNoViolations } from '#axe.ts'
import { anOrder, aPosition } from '#backend/seed/trading-seed.ts'
import { expect, test } from '#fixtures.ts'
import { OrdersPage } from '#pages/trader/orders.ts'
import { PositionsPage } from '#pages/trader/positions.ts'
import { RiskPage } from '#pages/trader/risk.ts'
import { StrategiesPage } from '#pages/trader/strategies.ts'
import { EDGE } from '#tier.ts'

const PHONE = { width: 390, height: 844 }
/** What a thumb hits without aiming. */
const THUMB_PX = 36

test.use({ viewport: PHONE })

test('[SHELL-8] on a phone an order is cancelled without scrolling sideways', async ({ page, backend }) => {
  const orders = new OrdersPage(page)
  await orders.open()
  await expectWithinReach(orders.cancel('O-1'))
  await orders.cancel('O-1').click()
  await expectNoSidewaysScroll(page)
  await expectNoViolations(page)
  await expectWithinReach(orders.cancelQuestion.dialog.getByRole('button', { name: 'Cancel Order' }))
  await orders.cancelQuestion.yes()
  await backend.called('DELETE /api/orders/O-1')
})

test(
  '[SHELL-8] on a phone a position is closed without scrolling sideways',
  EDGE,
  async ({ page, backend }) => {
    const positions = new PositionsPage(page)
    await positions.open()
    await expectWithinReach(positions.close('P-2'))
    await positions.close('P-2').click()
    await positions.closeQuestion.yes()
    await backend.called('POST /api/positions/P-2/close')
  },
)

test('[SHELL-17] [SHELL-20] on a phone an order takes two lines without a table head, and every value is in sight', async ({
  page,
  backend,
}) => {
  const sentence = 'The order is worth 500,005.00; Max Order Size is 10,000.00.'
  const refused = { ...anOrder({ id: 'O-9', status: 'REJECTED' }), reason: { sentence } }
  const market = {
    ...anOrder({ id: 'O-8', side: 'SELL', quantity: 0.5, filled_qty: 0.1 }),
    strategy: 'MANUAL',
  }
  backend.reply('GET /api/orders', { body: { orders: [refused, market] } })
  const orders = new OrdersPage(page)
  await orders.open()
  const row = orders.order('O-8')
  await expect(orders.columns).toHaveCount(0)
  await expectLine(row.getByText('BTCUSDT'), row.getByText('O-8'), row.getByText('67,204.10'))
  await expectLine(row.getByText('SELL'), row.getByText('LIMIT · 0.1 of 0.5'), row.getByText('PENDING'))
  await expectInSight(row.getByText('Manual'))
  await expectInSight(orders.order('O-9').getByText('REJECTED'))
  await expectInSight(orders.order('O-9').getByText(sentence))
  await expectNoViolations(page)
})

test(
  '[SHELL-17] [SHELL-20] on a phone a position takes two lines without a table head, and every value is in sight',
  EDGE,
  async ({ page, backend }) => {
    backend.reply('GET /api/positions', {
      body: { positions: [{ ...aPosition({ id: 'P-2' }), strategy: 'MANUAL' }] },
    })
    const positions = new PositionsPage(page)
    await positions.open()
    const row = positions.position('P-2')
    await expect(positions.columns).toHaveCount(0)
    await expectLine(row.getByText('BTCUSDT'), row.getByText('P-2'), row.getByText('+$150.00'))
    await expectLine(row.getByText('LONG 0.15 at 66,000.00 · now 67,000.00'), row.getByText(/\brealized/))
    await expectInSight(row.getByText('Manual'))
    await expectNoViolations(page)
  },
)

test('[SHELL-17] [SHELL-21] on a phone the way back of Risk Management stands beside its title', async ({
  page,
}) => {
  const risk = new RiskPage(page)
  await risk.open()
  await expect(async () => {
    const [title, back] = [await risk.heading.boundingBox(), await risk.back.boundingBox()]
    if (!title || !back) throw new Error('they have no place on the page')
    expect(back.y, 'top of the button').toBeLessThan(title.y + title.height)
  }).toPass()
  await expectWithinReach(risk.back)
})

test('[SHELL-8] on a phone a strategy is stopped with a thumb', EDGE, async ({ page, backend }) => {
  const strategies = new StrategiesPage(page)
  await strategies.open()
  const stop = strategies.action('Harbour momentum', /^stop/i)
  await expectWithinReach(stop)
  await stop.click()
  await backend.called('POST /api/strategies/S-1/stop')
})

/** All are in sight, side by side. */
async function expectLine(...things: Locator[]): Promise<void> {
  // Repeated, because the page may move between one and the other.
  await expect(async () => {
    const middles = await Promise.all(things.map(expectInSight))
    expect(Math.max(...middles) - Math.min(...middles), 'distance of their lines').toBeLessThan(12)
  }).toPass()
}

/** Returns the height of its middle on the page. */
async function expectInSight(thing: Locator): Promise<number> {
  await expect(thing).toHaveCount(1)
  const box = await thing.boundingBox()
  if (!box) throw new Error('it has no place on the page')
  expect(box.x, 'left edge').toBeGreaterThanOrEqual(0)
  expect(box.x + box.width, 'right edge').toBeLessThanOrEqual(PHONE.width)
  return box.y + box.height / 2
}

async function expectWithinReach(button: Locator): Promise<void> {
  await expect(button).toBeVisible()
  const box = await button.boundingBox()
  if (!box) throw new Error('the button has no place on the page')
  expect(box.height, 'height of the button').toBeGreaterThanOrEqual(THUMB_PX)
  expect(box.x, 'left edge of the button').toBeGreaterThanOrEqual(0)
  expect(box.x + box.width, 'right edge of the button').toBeLessThanOrEqual(PHONE.width)
  // Something else may lie over a button that is there.
  await button.click({ trial: true })
}

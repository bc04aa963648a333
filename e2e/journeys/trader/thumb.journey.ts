import type { Locator } from '@playwright/test'
import { expectNoSidewaysScroll, expectNoViolations } from '#axe.ts'
import { anOrder, aPosition } from '#backend/seed/trading-seed.ts'
import { expect, test } from '#fixtures.ts'
import { OrdersPage } from '#pages/trader/orders.ts'
import { PositionsPage } from '#pages/trader/positions.ts'
import { RiskPage } from '#pages/trader/risk.ts'
import { StrategiesPage } from '#pages/trader/strategies.ts'

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

test('[SHELL-8] on a phone a position is closed without scrolling sideways', async ({ page, backend }) => {
  const positions = new PositionsPage(page)
  await positions.open()
  await expectWithinReach(positions.close('P-2'))
  await positions.close('P-2').click()
  await positions.closeQuestion.yes()
  await backend.called('POST /api/positions/P-2/close')
})

test('[SHELL-17] on a phone every figure of an order is in sight, a refusal included', async ({
  page,
  backend,
}) => {
  const sentence = 'The order is worth 500,005.00; Max Order Size is 10,000.00.'
  const refused = { ...anOrder({ id: 'O-9', status: 'REJECTED' }), reason: { sentence } }
  backend.state.orders = [refused, anOrder({ id: 'O-8' })]
  const orders = new OrdersPage(page)
  await orders.open()
  await expectInSight(orders.columns, 9)
  await expectInSight(orders.order('O-8').getByRole('cell'), 9)
  await expectInSight(orders.order('O-9').getByText('REJECTED'), 1)
  await expectInSight(orders.order('O-9').getByText(sentence), 1)
  await expectNoViolations(page)
})

test('[SHELL-17] [SHELL-20] on a phone the column titles of orders take two lines, also with a strategy column', async ({
  page,
  backend,
}) => {
  backend.reply('GET /api/orders', { body: { orders: [{ ...anOrder({ id: 'O-8' }), strategy: 'MANUAL' }] } })
  const orders = new OrdersPage(page)
  await orders.open()
  await expectInSight(orders.columns, 10)
  await expect(orders.columns.getByRole('button')).toHaveCount(9)
  expect(new Set(await tops(orders.columns)).size).toBe(2)
  await orders.columns.getByRole('button', { name: 'Strategy' }).click()
  await expect(orders.columns.filter({ hasText: 'Strategy' })).toHaveAttribute('aria-sort', 'ascending')
  expect(new Set(await tops(orders.columns)).size, 'with the arrow of the sorted one').toBe(2)
})

test('[SHELL-17] on a phone every figure of a position is in sight', async ({ page }) => {
  const positions = new PositionsPage(page)
  await positions.open()
  await expectInSight(positions.columns, 9)
  await expectInSight(positions.position('P-2').getByRole('cell'), 9)
  await expectNoViolations(page)
})

test('[SHELL-17] [SHELL-20] on a phone the column titles of positions take three lines, also with a strategy column', async ({
  page,
  backend,
}) => {
  backend.reply('GET /api/positions', { body: { positions: [{ ...aPosition(), strategy: 'MANUAL' }] } })
  const positions = new PositionsPage(page)
  await positions.open()
  await expectInSight(positions.columns, 10)
  expect(new Set(await tops(positions.columns)).size).toBe(3)
  await positions.columns.getByRole('button', { name: 'Unrealized P&L' }).click()
  await expect(positions.columns.filter({ hasText: 'Unrealized' })).toHaveAttribute('aria-sort', 'ascending')
  expect(new Set(await tops(positions.columns)).size, 'with the arrow of the sorted one').toBe(3)
})

test('[SHELL-17] [SHELL-21] on a phone the way back of Risk Management stands beside its title', async ({
  page,
}) => {
  const risk = new RiskPage(page)
  await risk.open()
  const [title, back] = [await risk.heading.boundingBox(), await risk.back.boundingBox()]
  if (!title || !back) throw new Error('they have no place on the page')
  expect(back.y, 'top of the button').toBeLessThan(title.y + title.height)
  await expectWithinReach(risk.back)
})

test('[SHELL-8] on a phone a strategy is stopped with a thumb', async ({ page, backend }) => {
  const strategies = new StrategiesPage(page)
  await strategies.open()
  const stop = strategies.action('Harbour momentum', /^stop/i)
  await expectWithinReach(stop)
  await stop.click()
  await backend.called('POST /api/strategies/S-1/stop')
})

function tops(things: Locator): Promise<number[]> {
  return things.evaluateAll((found) => found.map((thing) => Math.round(thing.getBoundingClientRect().top)))
}

async function expectInSight(things: Locator, count: number): Promise<void> {
  await expect(things).toHaveCount(count)
  for (const thing of await things.all()) {
    const box = await thing.boundingBox()
    if (!box) throw new Error('it has no place on the page')
    expect(box.x, 'left edge').toBeGreaterThanOrEqual(0)
    expect(box.x + box.width, 'right edge').toBeLessThanOrEqual(PHONE.width)
  }
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

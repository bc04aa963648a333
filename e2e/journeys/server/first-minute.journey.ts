import type { Page } from '@playwright/test'
import { OrdersPage } from '#pages/trader/orders.ts'
import { PositionsPage } from '#pages/trader/positions.ts'
import { expect, test } from '#server-fixtures.ts'
import { EDGE } from '#tier.ts'

interface OrderTerms {
  type: 'MARKET' | 'LIMIT'
  quantity: string
  price?: string
}

async function fillForm(orders: OrdersPage, { type, quantity, price }: OrderTerms): Promise<void> {
  await orders.openForm()
  await orders.field('Type').selectOption(type)
  await orders.field('Quantity').fill(quantity)
  if (price !== undefined) await orders.field('Price').fill(price)
  await orders.submit()
}

async function place(orders: OrdersPage, terms: OrderTerms): Promise<void> {
  await fillForm(orders, terms)
  await expect(orders.form).toBeHidden()
}

/** The desk of a new server has no quote for its first moments. */
async function waitForMarket(page: Page): Promise<void> {
  const probe = { instrument: 'ETHUSDT', side: 'BUY', type: 'MARKET', quantity: 0.01, price: 0 }
  await expect
    .poll(async () => (await (await page.request.post('/api/orders', { data: probe })).json()).status)
    .not.toBe('REJECTED')
}

test('[ORD-14] [ORD-120] [CALL-15] a new user’s first minute: buy, see it fill and move, cancel, be refused, close', async ({
  page,
}) => {
  const orders = new OrdersPage(page)
  await orders.open()
  await waitForMarket(page)

  await place(orders, { type: 'MARKET', quantity: '0.1' })
  const bought = orders.rows.filter({ hasText: 'BTCUSDT' }).first()
  await expect(bought).toContainText('FILLED')

  const positions = new PositionsPage(page)
  await positions.open()
  const position = positions.rows.filter({ hasText: 'BTCUSDT' })
  await expect(position).toContainText('LONG')
  const before = await position.innerText()
  await expect.poll(() => position.innerText()).not.toBe(before)

  await orders.open()
  await place(orders, { type: 'LIMIT', quantity: '0.1', price: '1000' })
  const resting = orders.rows.filter({ has: page.getByRole('cell', { name: '1,000.00', exact: true }) })
  await expect(resting).toContainText('PENDING')
  await resting.getByRole('button', { name: 'Cancel' }).click()
  await orders.cancelQuestion.yes()
  await expect(resting).toContainText('CANCELLED')

  await fillForm(orders, { type: 'MARKET', quantity: '10' })
  await expect(orders.form.getByRole('alert')).toHaveText(/Max Order Size is 10,000\.00/)
  await orders.form.getByRole('button', { name: 'Cancel' }).click()
  await expect(orders.form).toBeHidden()
  // The probes may have been rejected too, because there was no quote yet.
  const refused = orders.rows.filter({ hasText: 'Max Order Size is 10,000.00' })
  await expect(refused).toContainText('REJECTED')
  // ORD-120: below the figures, not over them.
  const [status, sentence] = await Promise.all(
    [refused.getByText('REJECTED'), refused.getByText('Max Order Size')].map((part) => part.boundingBox()),
  )
  expect(sentence?.y).toBeGreaterThanOrEqual((status?.y ?? 0) + (status?.height ?? 0))

  await positions.open()
  await position.getByRole('button', { name: 'Close', exact: true }).click()
  await positions.closeQuestion.yes()
  await expect(position).toHaveCount(0)
})

test(
  '[ORD-22] an order whose answer is lost and that is sent again is placed once',
  EDGE,
  async ({ page, watch }) => {
    watch.allowErrors(/Failed to (load resource|fetch)/)
    const orders = new OrdersPage(page)
    await orders.open()
    let sent = 0
    await page.route('**/api/orders', async (route) => {
      const isFirst = route.request().method() === 'POST' && ++sent === 1
      if (!isFirst) return route.continue()
      await route.fetch()
      await route.abort()
    })
    await fillForm(orders, { type: 'LIMIT', quantity: '0.1', price: '1001' })
    const resting = orders.rows.filter({ has: page.getByRole('cell', { name: '1,001.00', exact: true }) })
    await expect(resting).toContainText('PENDING')
    await expect(orders.form).toBeVisible()
    await orders.submit()
    await expect(orders.form).toBeHidden()
    expect(sent).toBe(2)
    await expect(resting).toHaveCount(1)
    await resting.getByRole('button', { name: 'Cancel' }).click()
    await orders.cancelQuestion.yes()
    await expect(resting).toContainText('CANCELLED')
  },
)

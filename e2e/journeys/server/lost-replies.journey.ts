import { OrdersPage } from '#pages/trader/orders.ts'
import { expect, test } from '#server-fixtures.ts'

test('[CLIENT-15] [ORD-22] an order whose reply is cut may have been placed, and pressing again places it once', async ({
  page,
  watch,
}) => {
  watch.allowErrors(/Failed to fetch|ERR_CONNECTION_RESET/)
  let isCut = false
  await page.route('**/api/orders', async (route) => {
    if (route.request().method() !== 'POST' || isCut) return route.continue()
    isCut = true
    await route.fetch()
    await route.abort('connectionreset')
  })
  const orders = new OrdersPage(page)
  await orders.open()
  await orders.openForm()
  const form = page.getByRole('dialog', { name: 'Create New Order' })
  await form.getByLabel('Quantity').fill('0.00321')
  await form.getByLabel('Price').fill('31234.5')
  await orders.submit()
  await expect(form.getByRole('alert')).toContainText('No answer. The order may have been placed')
  await orders.submit()
  await expect(form).toHaveCount(0)
  await expect(orders.rows.filter({ hasText: '0.00321' })).toHaveCount(1)
})

test('[CLIENT-15] a halt whose connection is cut before it arrives is not reported as done', async ({
  page,
  watch,
}) => {
  watch.allowErrors(/Failed to fetch|ERR_CONNECTION_RESET/)
  await page.route('**/api/trading-state', (route) =>
    route.request().method() === 'GET' ? route.continue() : route.abort('connectionreset'),
  )
  await page.goto('/trader/risk')
  await page.getByRole('button', { name: 'Halt Trading' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Halt Trading' }).click()
  await expect(page.getByText('No answer. Trading may have been halted')).toBeVisible()
  await expect(page.getByText('Active: orders are checked against the limits.')).toBeVisible()
})

import type { WebSocket } from '@playwright/test'
import { expectNoViolations } from '#axe.ts'
import { OrdersPage } from '#pages/trader/orders.ts'
import { expect, test } from '#server-fixtures.ts'

test('[STREAM-17] a fill appears without waiting for the poll, under the content policy', async ({
  page,
}) => {
  const orders = new OrdersPage(page)
  await orders.open()
  const freshness = page.getByRole('status', { name: 'Freshness' })
  await expect(freshness).toHaveText('Live')
  // From here on no poll of the list is answered.
  await page.route('**/api/orders', (route) =>
    route.request().method() === 'GET' ? undefined : route.continue(),
  )
  const placed = await page.request.post('/api/orders', {
    data: { instrument: 'BTCUSDT', side: 'BUY', type: 'MARKET', quantity: 0.00456 },
  })
  expect(placed.status()).toBe(201)
  await expect(orders.rows.filter({ hasText: '0.00456' })).toContainText('FILLED')
})

test('[STREAM-15] [CLIENT-220] [SHELL-220] offline the figures are marked with their age and an order fails in sight; back online they are live again', async ({
  page,
  context,
  watch,
}) => {
  watch.allowErrors(/Failed to fetch|ERR_INTERNET_DISCONNECTED/)
  const orders = new OrdersPage(page)
  await orders.open()
  const freshness = page.getByRole('status', { name: 'Freshness' })
  await expect(freshness).toHaveText('Live')
  await context.setOffline(true)
  await expect(freshness).toHaveText(/^Disconnected · as of \d\d:\d\d:\d\d UTC$/)
  await expectNoViolations(page)
  await orders.openForm()
  await orders.field('Type').selectOption('MARKET')
  await orders.submit()
  const failure = orders.form.getByRole('alert')
  await expect(failure).toContainText('No answer. The order may have been placed')
  const isShownWhole = (element: HTMLElement) => {
    const { left, top, bottom } = element.getBoundingClientRect()
    return [top + 4, bottom - 4].every((y) => element.contains(document.elementFromPoint(left + 8, y)))
  }
  await expect.poll(() => failure.evaluate(isShownWhole)).toBe(true)
  let isSent = false
  page.on('request', (request) => {
    isSent ||= request.method() === 'POST' && request.url().endsWith('/api/orders')
  })
  await context.setOffline(false)
  await expect(freshness).toHaveText('Live')
  expect(isSent).toBe(false)
})

test('[STREAM-14] a second tab shares the connection of the first, and takes it over', async ({
  page,
  context,
}) => {
  // A busy machine may lose a connection and open another; what counts is how many are open.
  const open = new Set<WebSocket>()
  const count = (opened: WebSocket) => {
    open.add(opened)
    opened.on('close', () => open.delete(opened))
  }
  context.on('page', (opened) => opened.on('websocket', count))
  page.on('websocket', count)
  await new OrdersPage(page).open()
  await expect(page.getByRole('status', { name: 'Freshness' })).toHaveText('Live')
  const second = await context.newPage()
  let opened = 0
  second.on('websocket', () => opened++)
  await new OrdersPage(second).open()
  await expect(second.getByRole('status', { name: 'Freshness' })).toHaveText('Live')
  await expect.poll(() => open.size).toBe(1)
  expect(opened).toBe(0)
  await page.close()
  await expect.poll(() => opened).toBeGreaterThan(0)
  await expect(second.getByRole('status', { name: 'Freshness' })).toHaveText('Live')
})

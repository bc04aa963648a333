import { anOrder } from '#backend/seed/trading-seed.ts'
import { textColour } from '#colours.ts'
import { expect, test } from '#fixtures.ts'
import { OrdersPage } from '#pages/trader/orders.ts'
import { EDGE } from '#tier.ts'

test('[ORD-3] [ORD-4] [ORD-5] [ORD-6] [SHELL-14] [ORD-7] the table, its colours, and Cancel, which asks first', async ({
  page,
  backend,
}) => {
  const orders = new OrdersPage(page)
  await orders.open()
  await test.step('the table lists every order under the nine columns', async () => {
    await expect(orders.columns).toHaveText([
      'Order ID',
      'Instrument',
      'Side',
      'Type',
      'Quantity',
      'Price',
      'Filled',
      'Status',
      'Actions',
    ])
    await expect(orders.order('O-3').getByRole('cell')).toHaveText([
      'O-3',
      'SOLUSDT',
      'BUY',
      'STOP',
      '120',
      /171\.20/,
      '0',
      'CANCELLED',
      '',
    ])
    await expect(orders.rows).toHaveCount(6)
  })
  await test.step('sides and statuses have their colours', async () => {
    expect(await textColour(orders.order('O-1').getByText('BUY', { exact: true }))).toBe('green')
    expect(await textColour(orders.order('O-2').getByText('SELL', { exact: true }))).toBe('red')
    const colours = {
      'O-2': 'FILLED',
      'O-1': 'PENDING',
      'O-3': 'CANCELLED',
      'O-4': 'REJECTED',
      'O-5': 'EXPIRED',
    }
    const seen = Object.entries(colours).map(([id, status]) => textColour(orders.order(id).getByText(status)))
    expect(await Promise.all(seen)).toEqual(['green', 'yellow', 'grey', 'red', 'blue'])
  })
  await test.step('only a PENDING order offers Cancel', async () => {
    for (const id of ['O-1', 'O-6']) await expect(orders.cancel(id)).toHaveCount(1)
    for (const id of ['O-2', 'O-3', 'O-4', 'O-5']) await expect(orders.cancel(id)).toHaveCount(0)
  })
  await test.step('Esc returns the focus to the button that opened the question', async () => {
    await orders.cancel('O-6').focus()
    await page.keyboard.press('Enter')
    await expect(orders.cancelQuestion.dialog).toBeVisible()
    await orders.cancelQuestion.escape()
    await expect(orders.cancel('O-6')).toBeFocused()
  })
  await test.step('Cancel asks first: no and Esc make no call, yes cancels', async () => {
    for (const refuse of ['no', 'escape'] as const) {
      await orders.cancel('O-1').click()
      await orders.cancelQuestion[refuse]()
      await expect(orders.cancelQuestion.dialog).toBeHidden()
    }
    expect(backend.count('DELETE /api/orders/:id')).toBe(0)
    await orders.cancel('O-1').click()
    await orders.cancelQuestion.yes()
    await backend.called('DELETE /api/orders/O-1')
    await expect(orders.order('O-1')).toContainText('CANCELLED')
    await expect(orders.cancel('O-1')).toHaveCount(0)
  })
})

test(
  '[ORD-8] [ORD-9] [ORD-10] [ORD-11] the form has its defaults, and MARKET hides the price and still sends it',
  EDGE,
  async ({ page, backend }) => {
    const orders = new OrdersPage(page)
    await orders.open()
    await test.step('the form has its fields, defaults and steps', async () => {
      await orders.openForm()
      await expect(orders.field('Instrument')).toHaveValue('BTCUSDT')
      await expect(orders.field('Side')).toHaveValue('BUY')
      await expect(orders.field('Side').getByRole('option')).toHaveText(['BUY', 'SELL'])
      await expect(orders.field('Type')).toHaveValue('LIMIT')
      await expect(orders.field('Type').getByRole('option')).toHaveText(['MARKET', 'LIMIT', 'STOP'])
      await expect(orders.field('Quantity')).toHaveValue('0.001')
      await expect(orders.field('Quantity')).toHaveAttribute('step', '0.001')
      await expect(orders.field('Price')).toHaveValue('0')
      await expect(orders.field('Price')).toHaveAttribute('step', '0.01')
    })
    await test.step('MARKET hides the price and still sends it', async () => {
      await orders.field('Instrument').fill('ETHUSDT')
      await orders.field('Side').selectOption('SELL')
      await orders.field('Quantity').fill('1.5')
      await orders.field('Price').fill('3400.25')
      await orders.field('Type').selectOption('STOP')
      await expect(orders.field('Price')).toBeVisible()
      await orders.field('Type').selectOption('MARKET')
      await expect(orders.field('Price')).toHaveCount(0)
      await orders.submit()
      const { body, headers } = await backend.called('POST /api/orders')
      expect(body).toEqual({
        instrument: 'ETHUSDT',
        side: 'SELL',
        type: 'MARKET',
        quantity: 1.5,
        price: 3400.25,
      })
      expect(headers['content-type']).toBe('application/json')
      await expect(orders.form).toBeHidden()
      await expect(orders.rows).toHaveCount(7)
    })
  },
)

test(
  '[ORD-12] the orders are fetched again every 5 s and show what is new',
  EDGE,
  async ({ page, backend }) => {
    const orders = new OrdersPage(page)
    await page.clock.install()
    await orders.open()
    await expect(orders.rows).toHaveCount(6)
    backend.state.orders = [anOrder({ id: 'O-99' }), ...backend.state.orders]
    await page.clock.fastForward(5_000)
    await expect(orders.order('O-99')).toBeVisible()
  },
)

test(
  '[ORD-1] [CLIENT-9] a slow first load shows a loading text until it ends',
  EDGE,
  async ({ page, backend }) => {
    const release = backend.hold('GET /api/orders')
    const orders = new OrdersPage(page)
    await orders.open()
    await expect(orders.loading).toBeVisible()
    release()
    await expect(orders.rows).toHaveCount(6)
    await expect(orders.loading).toHaveCount(0)
  },
)

test.describe('without orders', () => {
  test.use({ seed: 'empty' })

  test("[ORD-2] an empty list shows 'No Orders Yet'", EDGE, async ({ page }) => {
    const orders = new OrdersPage(page)
    await orders.open()
    await expect(orders.main.getByText('No Orders Yet', { exact: true })).toBeVisible()
    await expect(orders.columns).toHaveCount(0)
  })
})

test(
  '[CLIENT-10] [CLIENT-11] a failed first load is logged, ends loading and shows nothing',
  EDGE,
  async ({ page, backend, watch }) => {
    watch.allowErrors(/API Error: 500 Internal Server Error/)
    backend.fail('GET /api/orders')
    const orders = new OrdersPage(page)
    await orders.open()
    await expect(orders.loading).toHaveCount(0)
    await expect.poll(() => watch.errors().join()).toContain('API Error: 500')
    await expect(orders.main.getByText('No Orders Yet')).toHaveCount(0)
    await expect(orders.columns).toHaveCount(0)
    await expect(orders.toasts.all).toHaveCount(0)
  },
)

test(
  '[SHELL-7] when the server goes, the orders stay and their age appears',
  EDGE,
  async ({ page, backend, watch }) => {
    watch.allowErrors(/Failed to fetch/)
    const orders = new OrdersPage(page)
    await page.clock.install()
    await orders.open()
    await expect(orders.rows).toHaveCount(6)
    backend.goAway()
    await page.clock.fastForward(5_000)
    await expect(orders.shell.connection).toContainText(/as of \d\d:\d\d:\d\d UTC/)
    await expect(orders.rows).toHaveCount(6)
    await expect(orders.toasts.all).toHaveCount(0)
  },
)

test(
  '[CLIENT-10] a cancel that fails is logged only, and the order stays',
  EDGE,
  async ({ page, backend, watch }) => {
    watch.allowErrors(/API Error: 503 Service Unavailable/)
    backend.fail('DELETE /api/orders/:id', { status: 503 })
    const orders = new OrdersPage(page)
    await orders.open()
    await orders.cancel('O-6').click()
    await orders.cancelQuestion.yes()
    await expect.poll(() => watch.errors().join()).toContain('API Error: 503')
    await expect(orders.order('O-6')).toContainText('PENDING')
    await expect(orders.toasts.all).toHaveCount(0)
  },
)

test(
  '[CLIENT-12] a problem document is meant for the person and is shown',
  EDGE,
  async ({ page, backend, watch }) => {
    watch.allowErrors(/API Error: 422/)
    backend.fail('POST /api/orders', {
      status: 422,
      headers: { 'content-type': 'application/problem+json' },
      body: {
        type: 'about:blank',
        title: 'Refused',
        status: 422,
        code: 'request.invalid',
        detail: 'The price is off tick',
      },
    })
    const orders = new OrdersPage(page)
    await orders.open()
    await orders.openForm()
    await orders.submit()
    await expect(page.getByRole('alert')).toContainText('The price is off tick')
  },
)

test('[CLIENT-4] [CLIENT-6] 204 counts as done, and ids may be numbers', EDGE, async ({ page, backend }) => {
  backend.state.orders = [anOrder({ id: 7 })]
  backend.reply('DELETE /api/orders/:id', { status: 204 })
  const orders = new OrdersPage(page)
  await orders.open()
  await orders.cancel('7').click()
  await orders.cancelQuestion.yes()
  await backend.called('DELETE /api/orders/7')
  await backend.called('GET /api/orders', { times: 2 })
})

test('[ORD-14] a rejected order shows its reason beside its status', EDGE, async ({ page, backend }) => {
  const reason = { code: 'risk.max-order-size', sentence: 'The order is worth more than one order may be.' }
  backend.reply('GET /api/orders', { body: { orders: [{ ...anOrder({ status: 'REJECTED' }), reason }] } })
  const orders = new OrdersPage(page)
  await orders.open()
  await expect(orders.order('O-1000')).toContainText('The order is worth more than one order may be.')
})

test(
  '[CLIENT-14] while a cancel is under way nothing looks cancelled, and it cannot be sent twice',
  EDGE,
  async ({ page, backend }) => {
    const release = backend.hold('DELETE /api/orders/:id')
    const orders = new OrdersPage(page)
    await orders.open()
    await orders.cancel('O-1').click()
    await orders.cancelQuestion.yes()
    await backend.called('DELETE /api/orders/O-1')
    await expect(orders.cancel('O-1')).toBeDisabled()
    await expect(orders.cancel('O-6')).toBeEnabled()
    await expect(orders.order('O-1')).toContainText('PENDING')
    release()
    await expect(orders.order('O-1')).toContainText('CANCELLED')
  },
)

import type { Page } from '@playwright/test'
import { expectAccessible, PHONE } from '#axe.ts'
import { OrdersPage } from '#pages/trader/orders.ts'
import { expect, test } from '#server-fixtures.ts'
import { EDGE } from '#tier.ts'

const POSITION = { instrument: 'BTCUSDT-PERP', side: 'BUY', type: 'MARKET', quantity: 0.002 }

/** The trading state as the server has it. */
async function stateOf(page: Page): Promise<string> {
  return (await (await page.request.get('/api/trading-state')).json()).state
}

async function resume(page: Page): Promise<void> {
  await page.request.post('/api/trading-state', { data: { state: 'ACTIVE' } })
  expect(await stateOf(page)).toBe('ACTIVE')
}

async function openControl(page: Page) {
  await page.getByRole('button', { name: 'Emergency' }).click()
  const control = page.getByRole('complementary', { name: 'Emergency control' })
  await expect(control).toBeVisible()
  return control
}

/** An order that rests and a position, so that there is something to end. */
async function trade(page: Page): Promise<void> {
  await expect
    .poll(async () => (await (await page.request.post('/api/orders', { data: POSITION })).json()).status)
    .not.toBe('REJECTED')
  const resting = { ...POSITION, type: 'LIMIT', price: 1234, quantity: 0.01 }
  expect((await page.request.post('/api/orders', { data: resting })).status()).toBe(201)
}

test('[SHELL-41] [RISK-60] held long enough, the third level closes everything and says what it did', async ({
  page,
}) => {
  await new OrdersPage(page).open()
  await trade(page)
  const control = await openControl(page)
  const level = control.getByRole('region', { name: 'Halt, cancel all and close all' })
  await expect(level.getByRole('table', { name: 'What it will do' })).toContainText('BINANCE')
  await test.step('accessible in both themes, at desk and phone width', () => expectAccessible(page))

  await test.step('a short press does nothing', async () => {
    // Pressed and released in one task: between two, a busy machine could let 1.5 s pass.
    await level.getByRole('button', { name: /^Hold 1\.5 s/ }).evaluate((button) => {
      for (const name of ['pointerdown', 'pointerup'])
        button.dispatchEvent(new PointerEvent(name, { bubbles: true, button: 0 }))
    })
    expect(await stateOf(page)).toBe('ACTIVE')
  })
  await test.step('Enter held closes everything', async () => {
    await level.getByRole('button', { name: /^Hold 1\.5 s/ }).focus()
    await page.keyboard.down('Enter')
    await expect.poll(() => stateOf(page)).toBe('HALTED')
    await page.keyboard.up('Enter')
  })
  const done = level.getByRole('table', { name: 'What it did' })
  await expect(done).toContainText('BINANCE')
  await expect(level).toContainText('All closed')
  expect((await (await page.request.get('/api/positions')).json()).positions).toEqual([])
  const refused = await (await page.request.post('/api/orders', { data: POSITION })).json()
  expect(refused.status).toBe('REJECTED')
  await resume(page)
})

test(
  '[SHELL-105] with working orders only, it says what it cancelled until trading is resumed',
  EDGE,
  async ({ page }) => {
    await new OrdersPage(page).open()
    const resting = { ...POSITION, type: 'LIMIT', price: 1234, quantity: 0.01 }
    expect((await page.request.post('/api/orders', { data: resting })).status()).toBe(201)
    const control = await openControl(page)
    await expect(control.getByRole('table', { name: 'What it will do' })).toContainText('BINANCE')
    await control.getByRole('textbox').fill('CLOSE ALL')
    await page.keyboard.press('Enter')
    const done = control.getByRole('table', { name: 'What it did' })
    await expect(done.getByRole('row').nth(1)).toHaveText('BINANCE100')
    await resume(page)
    const { id } = await (await page.request.post('/api/orders', { data: resting })).json()
    await expect(control.getByRole('table', { name: 'What it will do' })).toContainText('BINANCE')
    await expect(done).toBeHidden()
    await page.request.delete(`/api/orders/${id}`)
  },
)

test('[SHELL-37] on a phone trading is halted with the finger, also while admin and database services do not answer', async ({
  page,
  watch,
}) => {
  watch.allowErrors(/Failed to (fetch|load resource)/)
  await page.setViewportSize(PHONE)
  await page.route(/\/api\/(admin|db)\//, (route) => route.abort())
  // Without the stream too.
  await page.routeWebSocket(/\/api\/stream$/, (socket) => socket.close())
  await new OrdersPage(page).open()
  const control = await openControl(page)
  const hold = control.getByRole('region', { name: 'Halt', exact: true }).getByRole('button')
  await expect.poll(async () => (await hold.boundingBox())?.height).toBeGreaterThanOrEqual(44)
  // Pressed again if the button has moved away, as when a reply comes above it.
  await expect(async () => {
    if ((await stateOf(page)) === 'HALTED') return
    await page.mouse.up()
    await hold.hover({ timeout: 10_000 })
    await page.mouse.down()
    await expect.poll(() => stateOf(page), { timeout: 10_000 }).toBe('HALTED')
  }).toPass()
  await page.mouse.up()
  await expect(control.getByText('on', { exact: true })).toBeVisible()
  await resume(page)
})

test('[SHELL-37] a typed word halts too', EDGE, async ({ page }) => {
  await new OrdersPage(page).open()
  const control = await openControl(page)
  await control.getByRole('textbox').fill('HALT')
  await page.keyboard.press('Enter')
  await expect.poll(() => stateOf(page)).toBe('HALTED')
  await resume(page)
})

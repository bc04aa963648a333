import { expectAccessible, expectNoViolations, PHONE } from '#axe.ts'
import { expect, test } from '#server-fixtures.ts'

/** A trader's round by keyboard: preview, place, why, modify, cancel all, close a part, close all, history. */
test('[ORD-54] [ORD-60] [ORD-63] [ORD-68] [SHELL-23] [SHELL-52] [SHELL-62] orders are previewed, explained, changed and found again', async ({
  page,
}) => {
  await page.goto('/trader/orders')
  const form = page.getByRole('dialog', { name: 'Create New Order' })
  const openForm = async () => {
    await page.getByRole('button', { name: 'Create New Order' }).focus()
    await page.keyboard.press('Enter')
    await expect(form).toBeVisible()
  }
  await test.step('a market order is previewed and placed', async () => {
    await openForm()
    await expect(form.getByText('Enter a price above 0.')).toBeVisible()
    await form.getByLabel('Type').selectOption('MARKET')
    await expect(form.getByText('within limits')).toBeVisible()
    await expect(form.getByRole('meter', { name: 'Max Order Size' })).toBeVisible()
    await expectAccessible(page)
    await form.getByLabel('Quantity').fill('0.02')
    await form.getByRole('button', { name: 'Create Order' }).press('Enter')
    await expect(form).toBeHidden()
    await expect(page.getByRole('tab', { name: /^Filled [1-9]/ })).toBeVisible()
  })
  await test.step('an order that would be denied says so before it is sent', async () => {
    await openForm()
    await form.getByLabel('Type').selectOption('MARKET')
    await form.getByLabel('Quantity').fill('5')
    await expect(form.getByText('would be denied')).toBeVisible()
    await expect(form.getByText(/Max Order Size is/)).toBeVisible()
  })
  await test.step('its buttons stay in view on a phone, and Esc asks before it is discarded', async () => {
    const desk = page.viewportSize()
    await page.setViewportSize({ width: 390, height: 600 })
    for (const name of ['Create Order', 'Cancel']) {
      await expect(form.getByRole('button', { name })).toBeInViewport({ ratio: 1 })
    }
    await form.getByLabel('Quantity').focus()
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Keep Editing' }).click()
    await expect(form.getByLabel('Quantity')).toHaveValue('5')
    if (desk) await page.setViewportSize(desk)
    await form.getByRole('button', { name: 'Cancel' }).click()
  })
  await test.step('the drawer answers why', async () => {
    await page.getByRole('tab', { name: /^Filled/ }).click()
    await page.getByRole('link', { name: /^O-/ }).first().press('Enter')
    const drawer = page.getByRole('complementary', { name: /^Order O-/ })
    await expect(drawer.getByRole('heading', { name: 'Why this order?' })).toBeVisible()
    await expect(drawer.getByRole('row', { name: /^Max Order Size/ })).toBeVisible()
    await expect(drawer.getByText('filled', { exact: true }).first()).toBeVisible()
    const table = page.getByRole('table', { name: 'Orders' })
    await expect(table.getByRole('columnheader', { name: 'Status' })).toBeInViewport({ ratio: 1 })
    await expect(table.getByRole('columnheader', { name: 'Fee' })).toBeHidden()
    await expect(table.getByRole('columnheader', { name: 'Strategy' })).toBeHidden()
    await expectAccessible(page)
    await page.reload()
    await expect(page).toHaveURL(/tab=filled.*order=O-/)
    await expect(drawer.getByRole('heading', { name: 'Why this order?' })).toBeVisible()
    await page.getByRole('button', { name: /^Close Order/ }).press('Enter')
    await expect(drawer).toBeHidden()
    await expect(table.getByRole('columnheader', { name: 'Fee' })).toBeVisible()
  })
  await test.step('a working order is modified, then all are cancelled', async () => {
    await page.getByRole('tab', { name: /^All/ }).click()
    await openForm()
    const shownBid = form.getByText('Bid').locator('xpath=following-sibling::dd')
    await expect(shownBid).toHaveText(/\d/)
    const bid = Number((await shownBid.innerText()).replace(',', ''))
    await form.getByLabel('Price').fill(String(Math.round(bid * 0.9)))
    await form.getByRole('button', { name: 'Create Order' }).click()
    await expect(form).toBeHidden()
    await page.getByRole('button', { name: 'Modify' }).first().press('Enter')
    const change = page.getByRole('dialog', { name: 'Modify Order' })
    const price = Math.round(bid * 0.89)
    await change.getByLabel('Price').fill(String(price))
    await change.getByRole('button', { name: 'Modify Order' }).press('Enter')
    await expect(change).toBeHidden()
    await expect(page.getByRole('cell', { name: `${price.toLocaleString('en-US')}.00` })).toBeVisible()
    await page.getByRole('button', { name: 'Cancel All' }).press('Enter')
    await page.getByRole('button', { name: 'Cancel Orders' }).press('Enter')
    await expect(page.getByText(/orders? cancelled\./)).toBeVisible()
    await expect(page.getByRole('tab', { name: 'Working 0' })).toBeVisible()
  })
})

test('[POS-23] [POS-24] a position is closed in parts, and its result is listed', async ({
  page,
  server,
}) => {
  const body = { instrument: 'BTCUSDT', side: 'BUY', type: 'MARKET', quantity: 0.02 }
  await page.request.post(`${server.origin}/api/orders`, { data: body, headers: { origin: server.origin } })
  await page.goto('/trader/positions')
  await page.getByRole('button', { name: 'Close Part' }).first().press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Close Part of a Position' })
  await expectAccessible(page)
  await dialog.getByRole('button', { name: '25 %' }).press('Enter')
  await dialog.getByRole('button', { name: 'Close Part' }).press('Enter')
  await expect(page.getByText(/of position P-\d+ closed/)).toBeVisible()
  await page.getByRole('button', { name: 'Close All' }).press('Enter')
  await page.getByRole('button', { name: 'Close Positions' }).press('Enter')
  await expect(page.getByText(/positions? closed\./)).toBeVisible()
  await page.getByRole('tab', { name: 'Closed' }).press('Enter')
  await expect(page.getByRole('columnheader', { name: 'P&L net of fees' })).toBeVisible()
  await expectAccessible(page)
})

test('[POS-27] a stop-loss is set by keyboard and removed on a phone', async ({ page, server }) => {
  const body = { instrument: 'BTCUSDT', side: 'BUY', type: 'MARKET', quantity: 0.02 }
  await page.request.post(`${server.origin}/api/orders`, { data: body, headers: { origin: server.origin } })
  await page.goto('/trader/positions')
  const opener = page.getByRole('button', { name: /^Stop-loss and take-profit of P-/ }).first()
  const dialog = page.getByRole('dialog', { name: 'Stop-Loss and Take-Profit' })
  await opener.press('Enter')
  await expectAccessible(page)
  await dialog.getByLabel('Stop-loss').fill('100')
  await dialog.getByLabel('Stop-loss').press('Enter')
  await expect(dialog).toBeHidden()
  await expect(opener).toHaveText('100.00 / —')
  await page.setViewportSize(PHONE)
  await expectNoViolations(page)
  await opener.click()
  await dialog.getByLabel('Stop-loss').fill('')
  await dialog.getByRole('button', { name: 'Save Exits' }).click()
  await expect(opener).toHaveText('Set')
})

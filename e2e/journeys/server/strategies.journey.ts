import { expectNoViolations } from '#axe.ts'
import { Toasts } from '#pages/toasts.ts'
import { OrdersPage } from '#pages/trader/orders.ts'
import { PositionsPage } from '#pages/trader/positions.ts'
import { StrategiesPage } from '#pages/trader/strategies.ts'
import { expect, test } from '#server-fixtures.ts'
import { EDGE } from '#tier.ts'

const NAME = 'Quick trend'

test('[STRAT-13] [STRAT-16] [CALL-11] a strategy is added, trades, is stopped, and deleted when it holds nothing', async ({
  page,
  watch,
}) => {
  // Three bars of the market have to pass.
  test.slow()
  // The refusal is what this journey is about.
  watch.allowErrors(/422|409/)
  const strategies = new StrategiesPage(page)
  await strategies.open()
  await strategies.openForm()
  await strategies.form.getByLabel('Name').fill(NAME)
  await strategies.form.getByText(/^Parameters/).click()
  await expectNoViolations(page)
  const setting = (name: string) => strategies.form.getByLabel(name, { exact: true })
  await setting('Instrument').selectOption('SOLUSDT-PERP')
  await setting('Fast average (bars)').fill('1')
  await setting('Slow average (bars)').fill('1')
  await setting('Crossing threshold (bps)').fill('0')
  await strategies.submit.click()
  const toasts = new Toasts(page)
  await expect(strategies.form.getByRole('alert')).toContainText(
    'Slow average (bars) must be a whole number from 2 to 5000',
  )
  await setting('Slow average (bars)').fill('2')
  await strategies.submit.click()
  await expect(strategies.strategy(NAME)).toContainText('stopped')

  await strategies.action(NAME, /^start/i).click()
  await expect(strategies.strategy(NAME)).toContainText('running')
  const orders = new OrdersPage(page)
  await orders.open()
  // Of this strategy: other journeys trade on the same server.
  await expect(orders.rows.filter({ hasText: NAME }).filter({ hasText: 'FILLED' }).first()).toBeVisible()

  await strategies.open()
  await strategies.action(NAME, /^stop/i).click()
  await expect(strategies.strategy(NAME)).toContainText('stopped')
  await strategies.action(NAME, /^delete/i).click()
  await strategies.deleteQuestion.yes()
  await expect(toasts.saying(/holds (long|short) .* SOLUSDT-PERP .*Close what it holds/)).toBeVisible()

  const positions = new PositionsPage(page)
  await positions.open()
  const held = positions.rows.filter({ hasText: NAME })
  await held.getByRole('button', { name: 'Close', exact: true }).click()
  await positions.closeQuestion.yes()
  await expect(held).toHaveCount(0)

  await strategies.open()
  await strategies.action(NAME, /^delete/i).click()
  await strategies.deleteQuestion.yes()
  await expect(strategies.strategy(NAME)).toHaveCount(0)
})

test(
  '[SHELL-115] the buttons of a strategy stay where they are when its settings are loaded',
  EDGE,
  async ({ page }) => {
    const held = Promise.withResolvers<void>()
    await page.route('**/api/strategy-types', async (route) => {
      await held.promise
      await route.continue()
    })
    const strategies = new StrategiesPage(page)
    // Not by its address: its own page has the settings (SHELL-210).
    await page.goto('/trader/orders')
    await page.getByRole('navigation', { name: 'Screens' }).getByRole('link', { name: 'Strategies' }).click()
    await strategies.heading.waitFor()
    await strategies.openForm()
    await strategies.form.getByLabel('Name').fill('Still buttons')
    await strategies.submit.click()
    const buttons = strategies.strategy('Still buttons').getByRole('button')
    const start = strategies.action('Still buttons', /^start/i)
    await expect(start).toBeVisible()
    const places = () => buttons.evaluateAll((all) => all.map((one) => one.getBoundingClientRect().toJSON()))
    const before = await places()
    const loaded = page.waitForResponse('**/api/strategy-types')
    held.resolve()
    await (await loaded).finished()
    await strategies.action('Still buttons', /^configure/i).click()
    await expect(page.getByRole('dialog').getByLabel('Instrument')).toBeVisible()
    expect(await places()).toEqual(before)
  },
)

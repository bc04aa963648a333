import { textColour } from '#colours.ts'
import { expect, test } from '#fixtures.ts'
import { StrategiesPage } from '#pages/trader/strategies.ts'
import { EDGE } from '#tier.ts'

test('[STRAT-2] [FMT-2] [STRAT-3] [STRAT-4] [STRAT-5] [CLIENT-13] [STRAT-6] cards with their actions, which call the server', async ({
  page,
  backend,
}) => {
  const strategies = new StrategiesPage(page)
  await strategies.open()
  await test.step('each card shows what its strategy is and how it does', async () => {
    await expect(strategies.strategy('Harbour momentum')).toContainText('momentum')
    await expect(strategies.strategy('Harbour momentum')).toContainText('Follows the trend of the last hour')
    await expect(strategies.figure('Harbour momentum', 'P&L')).toHaveText('+$1,284.50')
    await expect(strategies.figure('Harbour momentum', 'Trades')).toHaveText('48')
    await expect(strategies.figure('Harbour momentum', 'Win Rate')).toHaveText('62.5%')
    await expect(strategies.strategy('Tidal reversion')).toContainText('No description')
    await expect(strategies.figure('Tidal reversion', 'P&L')).toHaveText('-$310.25')
    await expect(strategies.figure('Tidal reversion', 'Win Rate')).toHaveText('42.9%')
  })
  await test.step('running is green; stopped offers Start, all others Stop', async () => {
    const colourOf = (name: string, status: string) =>
      textColour(strategies.strategy(name).getByText(status, { exact: true }))
    expect(await colourOf('Harbour momentum', 'running')).toBe('green')
    expect(await colourOf('Tidal reversion', 'stopped')).not.toBe('green')
    expect(await colourOf('Channel arbitrage', 'error')).not.toBe('green')
    for (const [name, offered, other] of [
      ['Harbour momentum', /^stop/i, /^start/i],
      ['Tidal reversion', /^start/i, /^stop/i],
      ['Channel arbitrage', /^stop/i, /^start/i],
    ] as const) {
      await expect(strategies.action(name, offered)).toHaveCount(1)
      await expect(strategies.action(name, other)).toHaveCount(0)
    }
  })
  await test.step('Start and Stop call the server and the list loads again', async () => {
    await strategies.action('Tidal reversion', /^start/i).click()
    await backend.called('POST /api/strategies/S-2/start')
    await expect(strategies.strategy('Tidal reversion').getByText('running', { exact: true })).toBeVisible()
    await strategies.action('Tidal reversion', /^stop/i).click()
    await backend.called('POST /api/strategies/S-2/stop')
    await expect(strategies.strategy('Tidal reversion').getByText('stopped', { exact: true })).toBeVisible()
  })
  await test.step('delete asks first: no makes no call, yes deletes', async () => {
    await strategies.action('Quay maker', /^delete/i).click()
    await strategies.deleteQuestion.escape()
    await expect(strategies.deleteQuestion.dialog).toBeHidden()
    expect(backend.count('DELETE /api/strategies/:id')).toBe(0)
    await strategies.action('Quay maker', /^delete/i).click()
    await strategies.deleteQuestion.yes()
    await backend.called('DELETE /api/strategies/S-4')
    await expect(strategies.strategy('Quay maker')).toHaveCount(0)
  })
})

test(
  '[STRAT-7] [STRAT-8] [STRAT-9] [STRAT-10] [STRAT-11] the form waits for a name, sends and resets',
  EDGE,
  async ({ page, backend }) => {
    const strategies = new StrategiesPage(page)
    await strategies.open()
    await test.step('the form has its fields, types and a button that waits for a name', async () => {
      await strategies.openForm()
      await expect(strategies.form.getByLabel('Type')).toHaveValue('momentum')
      await expect(strategies.form.getByLabel('Type').getByRole('option')).toHaveText([
        'momentum',
        'mean_reversion',
        'arbitrage',
        'market_making',
        'custom',
      ])
      await expect(strategies.submit).toBeDisabled()
      await strategies.form.getByLabel('Name').fill('x')
      await expect(strategies.submit).toBeEnabled()
      await strategies.form.getByLabel('Name').fill('')
      await expect(strategies.submit).toBeDisabled()
      await strategies.form.getByRole('button', { name: 'Cancel' }).click()
      await expect(strategies.form).toBeHidden()
    })
    await test.step('adding sends the form, closes it, resets it and loads the list', async () => {
      await strategies.openForm()
      await strategies.form.getByLabel('Name').fill('Spring tide')
      await strategies.form.getByLabel('Type').selectOption('custom')
      await strategies.form.getByLabel('Description').fill('Twice a month')
      await strategies.submit.click()
      const { body } = await backend.called('POST /api/strategies')
      expect(body).toEqual({ name: 'Spring tide', type: 'custom', description: 'Twice a month', config: {} })
      await expect(strategies.form).toBeHidden()
      await expect(strategies.strategy('Spring tide')).toBeVisible()
      await strategies.openForm()
      await expect(strategies.form.getByLabel('Name')).toHaveValue('')
      await expect(strategies.form.getByLabel('Type')).toHaveValue('momentum')
    })
  },
)

test(
  '[CLIENT-10] actions that fail are logged only, and the form stays open',
  EDGE,
  async ({ page, backend, watch }) => {
    watch.allowErrors(/API Error: 500|Failed to fetch/)
    backend.drop('POST /api/strategies/:id/start')
    backend.fail('POST /api/strategies')
    const strategies = new StrategiesPage(page)
    await strategies.open()
    await strategies.action('Quay maker', /^start/i).click()
    await expect.poll(() => watch.errors().length).toBe(1)
    await strategies.openForm()
    await strategies.form.getByLabel('Name').fill('Neap tide')
    await strategies.submit.click()
    await expect.poll(() => watch.errors().length).toBe(2)
    await expect(strategies.form.getByLabel('Name')).toHaveValue('Neap tide')
    await expect(strategies.toasts.all).toHaveCount(0)
  },
)

test('[STRAT-1] a slow first load shows a loading text', EDGE, async ({ page, backend }) => {
  const release = backend.hold('GET /api/strategies')
  const strategies = new StrategiesPage(page)
  await strategies.open()
  await expect(strategies.loading).toBeVisible()
  release()
  await expect(strategies.strategy('Quay maker')).toBeVisible()
  await expect(strategies.loading).toHaveCount(0)
})

test(
  '[CLIENT-11] a failed first load shows neither cards nor the empty text',
  EDGE,
  async ({ page, backend, watch }) => {
    watch.allowErrors(/API Error: 502/)
    backend.fail('GET /api/strategies', { status: 502 })
    const strategies = new StrategiesPage(page)
    await strategies.open()
    await expect.poll(() => watch.errors().length).toBe(1)
    await expect(strategies.loading).toHaveCount(0)
    await expect(strategies.main.getByText('No Strategies Yet')).toHaveCount(0)
  },
)

test.describe('without strategies', () => {
  test.use({ seed: 'empty' })

  test("[STRAT-1] the empty state reads 'No Strategies Yet' and adds one", EDGE, async ({ page }) => {
    const strategies = new StrategiesPage(page)
    await strategies.open()
    await expect(strategies.main.getByText('No Strategies Yet', { exact: true })).toBeVisible()
    await strategies.openForm()
  })
})

test(
  '[CLIENT-12] when the server refuses to start a strategy, its reason is shown',
  EDGE,
  async ({ page, backend, watch }) => {
    watch.allowErrors(/API Error: 409/)
    const detail = 'The engine is halted.'
    backend.fail('POST /api/strategies/:id/start', {
      status: 409,
      headers: { 'content-type': 'application/problem+json' },
      body: { type: 'about:blank', title: 'Refused', status: 409, code: 'engine.refused', detail },
    })
    const strategies = new StrategiesPage(page)
    await strategies.open()
    await strategies.action('Quay maker', /^start/i).click()
    await expect(strategies.toasts.ofType('error', detail)).toBeVisible()
    await expect(strategies.strategy('Quay maker')).toContainText('stopped')
  },
)

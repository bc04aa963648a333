import { aPosition } from '#backend/seed/trading-seed.ts'
import { textColour } from '#colours.ts'
import { expect, test } from '#fixtures.ts'
import { PositionsPage } from '#pages/trader/positions.ts'
import { EDGE } from '#tier.ts'

test('[POS-2] [POS-3] [POS-4] [POS-5] [FMT-5] [SHELL-16] [POS-6] the summary, the table, its colours and numerals, and Close, which asks first', async ({
  page,
  backend,
}) => {
  const positions = new PositionsPage(page)
  await positions.open()
  await test.step('the summary counts and sums all positions', async () => {
    await expect(positions.summary('Open Positions')).toHaveText('3')
    await expect(positions.summary('Total P&L')).toHaveText('+$143.25')
    await expect(positions.summary('Long')).toHaveText('2')
    await expect(positions.summary('Short')).toHaveText('1')
  })
  await test.step('the table lists every position under the nine columns', async () => {
    await expect(positions.columns).toHaveText([
      'Position ID',
      'Instrument',
      'Side',
      'Quantity',
      'Entry Price',
      'Current Price',
      'Unrealized P&L',
      'Realized P&L',
      'Actions',
    ])
    await expect(positions.position('P-2').getByRole('cell')).toHaveText([
      'P-2',
      'ETHUSDT',
      'SHORT',
      '2',
      /3,380\.00/,
      /3,412\.55/,
      '-$65.10',
      '$0.00',
      'Close',
    ])
  })
  await test.step('a negative P&L is red, any other green, zero included', async () => {
    expect(await textColour(positions.position('P-1').getByText('+$180.60'))).toBe('green')
    expect(await textColour(positions.position('P-2').getByText('-$65.10'))).toBe('red')
    expect(await textColour(positions.position('P-3').getByText('$0.00', { exact: true }))).toBe('green')
  })
  await test.step('figures in cards and tables are set in tabular numerals', async () => {
    for (const figures of [positions.summary('Total P&L'), positions.position('P-1').getByText('+$180.60')]) {
      await expect(figures).toHaveCSS('font-variant-numeric', 'tabular-nums')
    }
  })
  await test.step('a double click on Close asks, and waits for an answer', async () => {
    await positions.close('P-2').dblclick()
    await expect(positions.closeQuestion.dialog).toBeVisible()
    await positions.closeQuestion.no()
    await expect(positions.closeQuestion.dialog).toBeHidden()
    expect(backend.count('POST /api/positions/:id/close')).toBe(0)
  })
  await test.step('Close asks first: no makes no call, yes closes', async () => {
    await positions.close('P-2').click()
    await positions.closeQuestion.no()
    await expect(positions.closeQuestion.dialog).toBeHidden()
    expect(backend.count('POST /api/positions/:id/close')).toBe(0)
    await positions.close('P-2').click()
    await positions.closeQuestion.yes()
    await backend.called('POST /api/positions/P-2/close')
    await expect(positions.rows).toHaveCount(2)
    await expect(positions.summary('Short')).toHaveText('0')
  })
})

test(
  '[CLIENT-10] a close that fails is logged only, and the position stays',
  EDGE,
  async ({ page, backend, watch }) => {
    watch.allowErrors(/API Error: 500/)
    backend.fail('POST /api/positions/:id/close')
    const positions = new PositionsPage(page)
    await positions.open()
    await positions.close('P-1').click()
    await positions.closeQuestion.yes()
    await expect.poll(() => watch.errors().join()).toContain('API Error: 500 Internal Server Error')
    await expect(positions.rows).toHaveCount(3)
    await expect(positions.toasts.all).toHaveCount(0)
  },
)

test('[POS-8] the positions are fetched again every 3 s', EDGE, async ({ page, backend }) => {
  const positions = new PositionsPage(page)
  await page.clock.install()
  await positions.open()
  await expect(positions.rows).toHaveCount(3)
  backend.state.positions = [aPosition({ id: 'P-9', unrealized_pnl: -1 })]
  await page.clock.fastForward(3_000)
  await expect(positions.position('P-9')).toBeVisible()
  await expect(positions.summary('Total P&L')).toHaveText('-$1.00')
})

test('[POS-1] a slow first load shows a loading state until it ends', EDGE, async ({ page, backend }) => {
  const release = backend.hold('GET /api/positions')
  const positions = new PositionsPage(page)
  await positions.open()
  await expect(positions.loading).toBeVisible()
  release()
  await expect(positions.rows).toHaveCount(3)
  await expect(positions.loading).toHaveCount(0)
})

test(
  '[CLIENT-11] a first load without an answer shows neither rows nor the empty text',
  EDGE,
  async ({ page, backend, watch }) => {
    watch.allowErrors(/Failed to fetch/)
    backend.drop('GET /api/positions')
    const positions = new PositionsPage(page)
    await positions.open()
    await expect.poll(() => watch.errors().length).toBeGreaterThan(0)
    await expect(positions.loading).toHaveCount(0)
    await expect(positions.rows).toHaveCount(0)
    await expect(positions.main.locator('[href="/admin/orders"]')).toHaveCount(0)
  },
)

test.describe('without positions', () => {
  test.use({ seed: 'empty' })

  test('[POS-7] the empty state links to /admin/orders', EDGE, async ({ page }) => {
    const positions = new PositionsPage(page)
    await positions.open()
    await expect(positions.summary('Open Positions')).toHaveText('0')
    await positions.main.getByRole('link', { name: /orders/i }).click()
    await expect(page).toHaveURL('/admin/orders')
  })
})

test(
  '[SHELL-7] when the server goes, the positions stay and their age appears',
  EDGE,
  async ({ page, backend, watch }) => {
    watch.allowErrors(/Failed to fetch/)
    const positions = new PositionsPage(page)
    await page.clock.install()
    await positions.open()
    await expect(positions.rows).toHaveCount(3)
    backend.goAway()
    await page.clock.fastForward(3_000)
    await expect(positions.shell.connection).toContainText(/as of \d\d:\d\d:\d\d UTC/)
    await expect(positions.rows).toHaveCount(3)
    await expect(positions.summary('Total P&L')).toHaveText('+$143.25')
    await expect(positions.toasts.all).toHaveCount(0)
  },
)

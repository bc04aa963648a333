import { readFile } from 'node:fs/promises'
import { expectAccessible, expectStateAccessible } from '#axe.ts'
import { BacktestingPage, WORK } from '#pages/trader/backtesting.ts'
import { expect, test } from '#server-fixtures.ts'

test('[BT-17] [BT-19] [BT-31] [BT-32] [BT-35] [BT-37] [BT-42] [BT-43] [BT-20] [BT-23] [BT-24] [BT-25] [BT-26] [BT-27] [BT-28] a run is made, repeated, changed, compared and promoted', async ({
  page,
  watch,
}) => {
  test.slow()
  const lab = new BacktestingPage(page)
  await lab.open()
  let [first, again, changed] = ['', '', '']

  await test.step('a bad value has its message at the field', async () => {
    watch.allowErrors(/422/)
    await lab.form.getByLabel('Capital').fill('0.5')
    await lab.run()
    await expect(lab.form.getByLabel('Capital')).toHaveAccessibleDescription(
      /does not buy the smallest order/,
    )
    await lab.form.getByLabel('Capital').fill('10000')
  })

  await test.step('a run shows its result', async () => {
    await lab.run()
    first = await lab.nextResult('')
    await expect(lab.result).toContainText(/data [0-9a-f]{8}.*result [0-9a-f]{8}/)
    await expect(lab.main.getByRole('figure', { name: `Equity and drawdown of BT-${first}` })).toBeVisible()
    await expect(lab.main.getByRole('table', { name: 'Monthly returns' })).toContainText('%')
    await expect(lab.main.getByRole('region', { name: 'Statistics and costs' })).toContainText(
      'P&L before costs',
    )
  })

  await test.step('a re-run has the same hash', async () => {
    await lab.result.getByRole('button', { name: 'Re-run' }).click()
    again = await lab.nextResult(first)
    await expect(lab.result).toContainText(`re-run of BT-${first}, result `)
    await expect(lab.result).toContainText('same hash')
  })

  await test.step('a clone with other fees is another run', async () => {
    await lab.result.getByRole('button', { name: 'Clone' }).click()
    await lab.form.getByLabel('Fees', { exact: true }).selectOption('own')
    await lab.form.getByLabel('Maker fee (bps)').fill('0')
    await lab.form.getByLabel('Taker fee (bps)').fill('0')
    await lab.form.getByRole('button', { name: 'Run', exact: true }).press('Enter')
    changed = await lab.nextResult(again)
  })

  await test.step('two are compared, and a link shows the same', async () => {
    for (const id of [first, changed]) {
      const box = lab.runs.getByRole('checkbox', { name: `Compare BT-${id}`, exact: true })
      // Enabled only once the list shows the run as completed; a disabled box would pass the key on to another.
      await expect(box).toBeEnabled()
      await box.press('Space')
    }
    await expect(lab.compared).toHaveCount(3)
    await expect(page).toHaveURL(new RegExp(`run=${changed}&compare=${first}%2C${changed}$`))
    await page.reload()
    await expect(lab.compared.nth(1)).toContainText(`BT-${first}`)
    await expect(lab.compared.nth(2)).toContainText(`BT-${changed}`)
    await expect(
      lab.main.getByRole('figure', { name: `Returns of BT-${first}, BT-${changed}` }),
    ).toBeVisible()
  })

  await test.step('runs are searched', async () => {
    await lab.main.getByLabel('Search runs').fill(`bt-${again}`)
    await expect(lab.runs.first()).toContainText(`BT-${again}`)
    await lab.main.getByLabel('Search runs').fill('')
  })

  await test.step('the record is exported', async () => {
    const download = page.waitForEvent('download')
    await lab.main.getByRole('button', { name: 'JSON' }).click()
    const saved = await download
    expect(saved.suggestedFilename()).toBe(`BT-${changed}.json`)
    const record = JSON.parse(await readFile(await saved.path(), 'utf8'))
    expect(record).toMatchObject({ status: 'completed', request: { fees: { maker_bps: 0 } } })
  })

  await test.step('a run is tagged, checked for look-ahead and saved as a report', async () => {
    await lab.result.getByRole('button', { name: 'Note' }).click()
    const labels = page.getByRole('dialog', { name: `Tags and note of BT-${changed}` })
    await labels.getByLabel('Tags').fill('no fees')
    await page.keyboard.press('Enter')
    await expect(labels).toHaveCount(0)
    await expect(lab.result).toContainText('no fees')
    await lab.main.getByRole('button', { name: 'Check for look-ahead' }).click()
    await expect(lab.main.getByText(/no look-ahead in \d+ cuts/)).toBeVisible(WORK)
    await expect(lab.main.getByRole('region', { name: /^Trades in bars of/ })).toBeVisible()
    const download = page.waitForEvent('download')
    await lab.main.getByRole('button', { name: 'HTML report' }).click()
    const report = await readFile(await (await download).path(), 'utf8')
    expect(report).toContain('Simulated venues')
  })

  await test.step('the screen is accessible in both themes, at desk and phone width', async () => {
    await expectAccessible(page)
  })

  await test.step('a sweep has a heat map, and a set of it goes into the form', async () => {
    await lab.openSweep()
    await lab.form.getByLabel('Values of Fast average (bars)').fill('5..15 by 5')
    await lab.form.getByLabel('Values of Slow average (bars)').fill('30, 60')
    await lab.form.getByLabel('Best by').selectOption('Return')
    await lab.form.getByRole('button', { name: 'Run sweep, 6 runs' }).click()
    const map = lab.main.getByRole('table', { name: 'slow_bars down, fast_bars across' })
    await expect(map.getByRole('button')).toHaveCount(6, WORK)
    await expectStateAccessible(page)
    await map.getByRole('button', { name: /at 60, 15: use this set$/ }).press('Enter')
    await expect(lab.form.getByLabel('Fast average (bars)', { exact: true })).toHaveValue('15')
    await lab.openRun(changed)
  })

  await test.step('it is promoted to a stopped strategy with its parameters', async () => {
    const promote = lab.result.getByRole('button', { name: 'Promote' })
    await promote.press('Enter')
    await expect(lab.promotion.getByLabel('Name')).toBeFocused()
    await page.keyboard.press('Escape')
    await expect(promote).toBeFocused()
    await promote.press('Enter')
    await lab.promotion.getByLabel('Name').fill('From the lab')
    await page.keyboard.press('Enter')
    await expect(lab.promotion).toHaveCount(0)
    const { strategies } = await (await page.request.get('/api/strategies')).json()
    const run = await (await page.request.get(`/api/nautilus/backtest/${changed}`)).json()
    expect(strategies.find(({ name }: { name: string }) => name === 'From the lab')).toMatchObject({
      status: 'stopped',
      config: run.request.strategy.config,
    })
  })
})

test('[EDIT-1] [EDIT-2] [EDIT-3] [EDIT-5] [EDIT-14] a strategy is written, checked, backtested, promoted and started on one page', async ({
  page,
}) => {
  test.slow()
  const lab = new BacktestingPage(page)
  await lab.open()
  await page.getByRole('button', { name: 'Strategy editor' }).press('Enter')
  const editor = lab.main.getByRole('region', { name: 'Strategy editor' })
  const source = editor.getByRole('textbox', { name: 'Source of mine.ts' })
  await expect(source).toContainText('createStrategy')
  await editor.getByLabel('Name', { exact: true }).fill('journey.ts')
  await source.press('Control+End')
  await expect(editor.locator('.cm-lineNumbers .cm-gutterElement').last()).toBeInViewport({ ratio: 1 })
  // In one change, which one undo takes back; a slow machine would split typed keys into several.
  await page.keyboard.insertText('\nlet = broken')
  await editor.getByRole('button', { name: 'Check' }).click()
  await expect(editor.getByText(/^Line \d+: journey\.ts failed: SyntaxError/)).toBeVisible(WORK)
  await expect(editor.locator('.cm-lint-marker-error')).toBeVisible()
  await expectStateAccessible(page)
  await source.press('Control+z')
  await expect(source).not.toContainText('broken')
  await editor.getByRole('button', { name: 'Backtest' }).click()
  await lab.nextResult('')
  await expect(page).toHaveURL(/module=journey\.ts/)
  await lab.result.getByRole('button', { name: 'Promote' }).click()
  await lab.promotion.getByLabel('Name').fill('My breakout')
  await page.keyboard.press('Enter')
  await lab.main.getByRole('button', { name: 'Start My breakout' }).click()
  await expect(lab.main.getByRole('region', { name: 'Strategies of this run' })).toContainText('running')
  // Other journeys use the same server, and count its orders and positions.
  const { strategies } = await (await page.request.get('/api/strategies')).json()
  const { id } = strategies.find(({ name }: { name: string }) => name === 'My breakout')
  expect((await page.request.post(`/api/strategies/${id}/stop`)).ok()).toBe(true)
})

import { expectAccessible, PHONE } from '#axe.ts'
import { expect, test } from '#fixtures.ts'
import { expectOpened } from '#pages/opened.ts'
import { ROUTE_TABLE } from '#pages/route-table.ts'
import { Shell } from '#pages/shell.ts'
import { isFullTier } from '#tier.ts'

/** A sample; the journey along the rail goes everywhere. */
const DESTINATIONS = ROUTE_TABLE.slice(1).filter((_, nth) => isFullTier() || nth % 5 === 0)

const SCREENS = ROUTE_TABLE.filter(({ path }) => /^\/(trader|admin)/.test(path))

test("[SHELL-3] [SHELL-5] [SHELL-6] a desk shows the rail; Esc closes the palette and the list of '?'", async ({
  page,
}) => {
  const shell = new Shell(page)
  await page.goto('/docs')
  await expectOpened(page, 'Documentation')
  await expect(shell.rail).toBeVisible()
  await expect(shell.thumbBar).toBeHidden()
  for (const { screen } of SCREENS) {
    await expect(shell.rail.getByRole('link', { name: screen, exact: true })).toBeVisible()
  }
  await test.step('Esc closes the palette and returns the focus', async () => {
    await shell.paletteButton.focus()
    await page.keyboard.press('Enter')
    await expect(shell.palette.getByRole('combobox')).toBeFocused()
    await page.keyboard.press('Escape')
    await expect(shell.palette).toBeHidden()
    await expect(shell.paletteButton).toBeFocused()
  })
  await test.step("'?' lists the keyboard shortcuts", async () => {
    await page.keyboard.press('?')
    await expect(shell.shortcuts).toContainText('Ctrl K')
    await page.keyboard.press('Escape')
    await expect(shell.shortcuts).toBeHidden()
  })
})

test.describe('on a phone', () => {
  test.use({ viewport: PHONE })

  test('[SHELL-4] a bottom bar within reach of a thumb replaces the rail, and every screen can be reached', async ({
    page,
  }) => {
    const shell = new Shell(page)
    await page.goto('/trader')
    await expect(shell.thumbBar).toBeVisible()
    await expect(shell.rail).toBeHidden()
    await page.evaluate(() => window.scrollTo(0, document.body.scrollHeight))
    const box = await shell.thumbBar.boundingBox()
    expect(box ? Math.round(box.y + box.height) : 0).toBe(PHONE.height)
    await shell.thumbBar.getByRole('link', { name: 'Orders' }).click()
    await expect(page).toHaveURL('/trader/orders')
    await shell.thumbBar.getByRole('button', { name: 'More' }).click()
    for (const { screen } of SCREENS) {
      await expect(shell.allScreens.getByRole('link', { name: screen, exact: true })).toBeVisible()
    }
    await expectAccessible(page)
    const last = SCREENS.at(-1)
    await shell.allScreens.getByRole('link', { name: last?.screen ?? '', exact: true }).click()
    await expect(shell.allScreens).toBeHidden()
    await expectOpened(page, last?.title ?? '')
  })
})

test('[SHELL-5] Ctrl-K and Cmd-K open the palette, which goes to any screen by keyboard', async ({
  page,
}) => {
  const shell = new Shell(page)
  await page.goto('/docs')
  await expectOpened(page, 'Documentation')
  for (const [index, { path, title, screen }] of DESTINATIONS.entries()) {
    await page.keyboard.press(index % 2 === 0 ? 'Control+k' : 'Meta+k')
    await shell.palette.getByRole('combobox').fill(screen)
    await expect(shell.destination(screen).first()).toBeVisible()
    while ((await shell.destination(screen).first().getAttribute('aria-selected')) !== 'true') {
      await page.keyboard.press('ArrowDown')
    }
    await page.keyboard.press('Enter')
    await expect(page).toHaveURL(path)
    await expectOpened(page, title)
  }
})

import { expect, test } from '#fixtures.ts'
import { expectOpened } from '#pages/opened.ts'
import { ROUTE_TABLE } from '#pages/route-table.ts'
import { Shell } from '#pages/shell.ts'

const PHONE = { width: 390, height: 844 }
const SCREENS = ROUTE_TABLE.filter(({ path }) => /^\/(trader|admin)/.test(path))

test('[SHELL-3] a desk shows the rail and no bottom bar', async ({ page }) => {
  const shell = new Shell(page)
  await page.goto('/trader')
  await expect(shell.rail).toBeVisible()
  await expect(shell.thumbBar).toBeHidden()
  for (const { screen } of SCREENS) {
    await expect(shell.rail.getByRole('link', { name: screen, exact: true })).toBeVisible()
  }
})

test.describe('on a phone', () => {
  test.use({ viewport: PHONE })

  test('[SHELL-4] a bottom bar takes the rail’s place, and every screen can be reached', async ({ page }) => {
    const shell = new Shell(page)
    await page.goto('/docs')
    await expect(shell.thumbBar).toBeVisible()
    await expect(shell.rail).toBeHidden()
    await shell.thumbBar.getByRole('link', { name: 'Orders' }).click()
    await expect(page).toHaveURL('/trader/orders')
    for (const { path, title, screen } of SCREENS) {
      await shell.paletteButton.click()
      await shell.palette.getByRole('combobox').fill(screen)
      await shell.destination(screen).first().click()
      await expect(page).toHaveURL(path)
      await expectOpened(page, title)
    }
  })

  test('[SHELL-4] the bottom bar stays within reach of a thumb', async ({ page }) => {
    await page.goto('/trader')
    await page.evaluate(() => window.scrollTo(0, document.body.scrollHeight))
    const box = await new Shell(page).thumbBar.boundingBox()
    expect(box ? Math.round(box.y + box.height) : 0).toBe(PHONE.height)
  })
})

for (const keys of ['Control+k', 'Meta+k']) {
  test(`[SHELL-5] ${keys} opens the palette, which goes to any screen by keyboard`, async ({ page }) => {
    const shell = new Shell(page)
    await page.goto('/docs')
    await expectOpened(page, 'Documentation')
    for (const { path, title, screen } of ROUTE_TABLE.slice(1)) {
      await page.keyboard.press(keys)
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
}

test('[SHELL-5] Esc closes the palette and gives the focus back', async ({ page }) => {
  const shell = new Shell(page)
  await page.goto('/docs')
  await shell.paletteButton.focus()
  await page.keyboard.press('Enter')
  await expect(shell.palette.getByRole('combobox')).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(shell.palette).toBeHidden()
  await expect(shell.paletteButton).toBeFocused()
})

test("[SHELL-6] '?' lists the keyboard shortcuts", async ({ page }) => {
  const shell = new Shell(page)
  await page.goto('/docs')
  await expectOpened(page, 'Documentation')
  await page.keyboard.press('?')
  await expect(shell.shortcuts).toContainText('Ctrl K')
  await page.keyboard.press('Escape')
  await expect(shell.shortcuts).toBeHidden()
})

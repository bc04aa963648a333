import { expect, type Page } from '@playwright/test'

export type Theme = 'light' | 'dark'

/** Chooses the theme as an earlier visit would have left it; call it before the page opens. */
export async function rememberTheme(page: Page, theme: Theme): Promise<void> {
  await page.addInitScript((chosen) => localStorage.setItem('binnacle.theme', JSON.stringify(chosen)), theme)
}

/** Toggles the theme of the open screen, also behind a dialog; home has no toggle and is opened again. */
export async function switchTheme(page: Page, theme: Theme): Promise<void> {
  if ((await shownTheme(page)) === theme) return
  const toggle = page.getByRole('button', { name: /theme/i, includeHidden: true }).first()
  if ((await toggle.count()) > 0) {
    // Light, dark, system: two clicks, or more if one comes before the theme of the last is shown.
    await expect(async () => {
      await toggle.dispatchEvent('click')
      expect(await shownTheme(page)).toBe(theme)
    }).toPass()
  } else {
    await page.evaluate((chosen) => {
      const stored = JSON.parse(localStorage.getItem('binnacle.preferences') ?? '{}')
      localStorage.setItem('binnacle.preferences', JSON.stringify({ ...stored, theme: chosen }))
    }, theme)
    await page.reload()
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  }
  await expect.poll(() => shownTheme(page)).toBe(theme)
}

/** What a person sees: a page lighter or darker than its text. */
export async function shownTheme(page: Page): Promise<Theme> {
  return page.evaluate(() => {
    const brightness = (css: string): number =>
      [...css.matchAll(/[\d.]+/g)].slice(0, 3).reduce((sum, [part]) => sum + Number(part), 0)
    const style = getComputedStyle(document.body)
    return brightness(style.backgroundColor) > brightness(style.color) ? 'light' : 'dark'
  })
}

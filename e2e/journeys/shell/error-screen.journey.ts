import type { Page } from '@playwright/test'
import { expect, test } from '#fixtures.ts'

test('[FAIL-1] [FAIL-2] a failure while rendering shows the sentence and the stack, and Reload Page reloads', async ({
  page,
  watch,
}) => {
  watch.allowErrors(/planted failure/)
  await plantFailure(page)
  await page.goto('/trader/positions')
  const screen = page.getByRole('alert')
  await expect(screen).toContainText('An unexpected error occurred.')
  await expect(screen).toContainText('Error: planted failure')
  await expect(screen).toContainText(/at .+\.js:\d+:\d+/)
  await expect(page.getByRole('heading', { name: 'Positions' })).toHaveCount(0)
  await page.evaluate(() => sessionStorage.setItem('healed', 'yes'))
  await page.getByRole('button', { name: 'Reload Page' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Positions' })).toBeVisible()
})

/** Figures are formatted by it while rendering, so one that throws breaks the screen until it is healed. */
async function plantFailure(page: Page): Promise<void> {
  await page.addInitScript(() => {
    if (sessionStorage.getItem('healed')) return
    Number.prototype.toExponential = () => {
      throw new Error('planted failure')
    }
  })
}

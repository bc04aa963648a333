import { expect, test } from '#fixtures.ts'
import { HomePage } from '#pages/home.ts'

test('[HOME-1] home shows the product and its tagline', async ({ page }) => {
  const home = new HomePage(page)
  await home.open()
  await expect(home.heading).toHaveText('Binnacle')
  await expect(
    page.getByText('Professional trading platform with comprehensive administration', { exact: true }),
  ).toBeVisible()
})

test('[HOME-2] the two entries lead to the trader and the admin panel', async ({ page }) => {
  const home = new HomePage(page)
  await home.open()
  await home.enterTrader.click()
  await expect(page).toHaveURL('/trader')
  await page.goBack()
  await home.enterAdmin.click()
  await expect(page).toHaveURL('/admin')
})

test('[HOME-3] the version label reads v1.0.0', async ({ page }) => {
  await new HomePage(page).open()
  await expect(page.getByText('v1.0.0', { exact: true })).toBeVisible()
})

test('[HOME-4] both areas open without a login', async ({ page }) => {
  for (const [path, title] of [
    ['/trader', 'Trader Panel'],
    ['/admin', 'Binnacle Admin Panel'],
  ] as const) {
    await page.goto(path)
    await expect(page.getByRole('heading', { level: 1, name: title })).toBeVisible()
    await expect(page.getByLabel(/password/i)).toHaveCount(0)
    await expect(page.getByRole('button', { name: /log ?in|sign ?in/i })).toHaveCount(0)
  }
})

test('[SHELL-15] home takes every file from its own origin', async ({ page, backend }) => {
  const origins = new Set<string>()
  page.on('request', (request) => origins.add(new URL(request.url()).origin))
  await new HomePage(page).open()
  await page.waitForLoadState('networkidle')
  expect([...origins]).toEqual([backend.origin])
})

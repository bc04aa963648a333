import { expect, test } from '#fixtures.ts'
import { HomePage } from '#pages/home.ts'

test('[HOME-1] [HOME-2] [HOME-3] [HOME-4] [SHELL-15] home shows product, tagline and version and leads to both areas without a login', async ({
  page,
  backend,
}) => {
  const origins = new Set<string>()
  page.on('request', (request) => origins.add(new URL(request.url()).origin))
  const home = new HomePage(page)
  await home.open()
  await expect(home.heading).toHaveText('Binnacle')
  await expect(
    page.getByText('Professional trading platform with comprehensive administration', { exact: true }),
  ).toBeVisible()
  await expect(page.getByText('v1.0.0', { exact: true })).toBeVisible()
  await expect(home.enterTrader).toBeVisible()
  expect([...origins]).toEqual([backend.origin])
  for (const [entry, path, title] of [
    [home.enterTrader, '/trader', 'Trader Panel'],
    [home.enterAdmin, '/admin', 'Binnacle Admin Panel'],
  ] as const) {
    await entry.click()
    await expect(page).toHaveURL(path)
    await expect(page.getByRole('heading', { level: 1, name: title })).toBeVisible()
    await expect(page.getByLabel(/password/i)).toHaveCount(0)
    await expect(page.getByRole('button', { name: /log ?in|sign ?in/i })).toHaveCount(0)
    await page.goBack()
  }
})

import { expect, test } from '#fixtures.ts'
import { Shell } from '#pages/shell.ts'
import { tourByRail } from '#pages/tour.ts'

test('[SHELL-1] the header shows on every screen that the server answers', async ({ page }) => {
  await page.goto('/trader/orders')
  await tourByRail(page, () => expect(new Shell(page).connection).toHaveText('Online'))
})

test('[SHELL-2] every screen says that the connection is lost', async ({ page, backend, watch }) => {
  // Screens that show no errors of their own log them.
  watch.allowErrors(/Failed to fetch/)
  await page.goto('/docs')
  await expect(new Shell(page).connection).toHaveText('Online')
  backend.goAway()
  await tourByRail(page, () => expect(new Shell(page).connection).toContainText('Connection lost'))
})

test('[SHELL-2] the lost connection is noticed within 5 s, and its return too', async ({ page, backend }) => {
  const { connection } = new Shell(page)
  await page.clock.install()
  await page.goto('/docs')
  await expect(connection).toHaveText('Online')
  backend.goAway()
  await page.clock.fastForward(5_000)
  await expect(connection).toContainText('Connection lost')
  backend.recover()
  await page.clock.fastForward(5_000)
  await expect(connection).toHaveText('Online')
})

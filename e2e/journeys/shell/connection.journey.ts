import { expect, test } from '#fixtures.ts'
import { Shell } from '#pages/shell.ts'
import { tourByRail } from '#pages/tour.ts'
import { EDGE } from '#tier.ts'

test(
  '[SHELL-2] a lost connection is noticed within 5 s, shown on every screen, and its return noticed too',
  EDGE,
  async ({ page, backend, watch }) => {
    // Screens that show no errors of their own log them.
    watch.allowErrors(/Failed to fetch/)
    const { connection } = new Shell(page)
    await page.clock.install()
    await page.goto('/docs')
    await expect(connection).toHaveText('Online')
    backend.goAway()
    await page.clock.fastForward(5_000)
    await expect(connection).toContainText('Connection lost')
    await tourByRail(page, undefined, () => expect(connection).toContainText('Connection lost'))
    backend.recover()
    await page.clock.fastForward(5_000)
    await expect(connection).toHaveText('Online')
  },
)

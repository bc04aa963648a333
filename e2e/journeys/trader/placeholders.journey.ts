import { expect, test } from '#fixtures.ts'
import { PLACEHOLDERS, PlaceholderPage, type PlaceholderPath } from '#pages/trader/placeholder.ts'
import { EDGE } from '#tier.ts'

// The keys of the table are its paths.
const PATHS = Object.keys(PLACEHOLDERS) as PlaceholderPath[]

test(
  "[SOON-1] [SOON-2] [CAP-2] the four placeholders read 'coming soon' and lead back",
  EDGE,
  async ({ page }) => {
    for (const path of PATHS) {
      const placeholder = new PlaceholderPage(page, path)
      await placeholder.open()
      await expect(placeholder.comingSoon).toBeVisible()
      await placeholder.control(/^(← )?Back/).click()
      await expect(page).toHaveURL('/trader')
    }
  },
)

for (const [state, mode] of [
  ['answers 500', 'fail'],
  ['does not answer', 'drop'],
] as const) {
  test(
    `[CAP-3] [CAP-5] a backend that ${state} is not taken for the baseline, and is requested again`,
    EDGE,
    async ({ page, backend }) => {
      backend[mode]('GET /api/capabilities')
      await page.clock.install()
      const placeholder = new PlaceholderPage(page, '/trader/alerts')
      await placeholder.open()
      await backend.called('GET /api/capabilities')
      await expect(placeholder.comingSoon).toHaveCount(0)
      backend.recover()
      await page.clock.fastForward(5_000)
      await expect(placeholder.comingSoon).toBeVisible()
    },
  )
}

import { AxeBuilder } from '@axe-core/playwright'
import { expect, type Page } from '@playwright/test'

/** Fails with the rule, the help text and the elements of each violation; the test goes on to find more. */
export async function expectNoViolations(page: Page): Promise<void> {
  // There are no frames, which its usual mode opens a page of its own for; and only what is wrong is wanted.
  const axe = new AxeBuilder({ page }).setLegacyMode().options({ resultTypes: ['violations'] })
  const { violations } = await axe.analyze()
  const lines = violations.flatMap(({ id, help, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id}: ${help}\n    ${html}\n    ${failureSummary}`),
  )
  expect.soft(lines, `axe on ${page.url()}`).toEqual([])
}

/** The page itself must not scroll sideways; a table inside it may. */
export async function expectNoSidewaysScroll(page: Page): Promise<void> {
  const overhang = await page.evaluate(() => {
    const { scrollWidth, clientWidth } = document.documentElement
    return scrollWidth - clientWidth
  })
  expect(overhang, `pixels ${page.url()} is wider than the window`).toBe(0)
}

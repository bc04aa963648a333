import { expect, type Locator, type Page } from '@playwright/test'

/** Stops the browser's time; from here on it only moves by tick. Call page.clock.install() before the page opens. */
export async function freezeTime(page: Page): Promise<void> {
  // A busy machine may need more than the second between the two, and time does not stop in the past.
  await expect(async () => {
    const now = await page.evaluate(() => Date.now())
    await page.clock.pauseAt(now + 1_000)
  }).toPass()
}

export async function tick(page: Page, ms: number): Promise<void> {
  await page.clock.runFor(ms)
}

/** Moves frozen time in small steps until the element is there: answers from a server need a few. */
export async function tickUntilShown(page: Page, element: Locator): Promise<void> {
  await expect
    .poll(
      async () => {
        await tick(page, 5)
        return element.count()
      },
      { intervals: [20] },
    )
    .toBeGreaterThan(0)
}

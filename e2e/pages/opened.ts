import { expect, type Page } from '@playwright/test'

/** The screen with this title is shown, and its loads have ended. */
export async function expectOpened(page: Page, title: string): Promise<void> {
  await expect(page.getByRole('heading', { level: 1, name: title, exact: true })).toBeVisible()
  await expect(page.getByText(/^(Loading|Opening|Connecting to server)/)).toHaveCount(0)
}

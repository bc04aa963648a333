import { expect, type Page } from '@playwright/test'

/** The screen with this title stands, and what it loads has arrived or failed. */
export async function expectOpened(page: Page, title: string): Promise<void> {
  await expect(page.getByRole('heading', { level: 1, name: title, exact: true })).toBeVisible()
  await expect(page.getByText(/^(Loading|Opening|Reaching)/)).toHaveCount(0)
}

import type { Locator, Page } from '@playwright/test'

/** The specification says 'button' for what goes to another page too; there a link is the right element. */
export function control(scope: Page | Locator, name: string | RegExp): Locator {
  const options = typeof name === 'string' ? { name, exact: true } : { name }
  return scope.getByRole('button', options).or(scope.getByRole('link', options))
}

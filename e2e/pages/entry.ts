import type { Locator } from '@playwright/test'

/** The row, list item or panel that belongs to one named thing, whichever of them the screen uses. */
export function entry(scope: Locator, name: string): Locator {
  const named = { has: scope.page().getByText(name, { exact: true }) }
  return scope
    .getByRole('row')
    .filter(named)
    .or(scope.getByRole('listitem').filter(named))
    .or(scope.getByRole('article', { name, exact: true }))
}

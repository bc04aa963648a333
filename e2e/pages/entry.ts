import type { Locator } from '@playwright/test'

/** The row, list item or panel that belongs to one named thing, whichever of them the screen uses. */
export function entry(scope: Locator, name: string): Locator {
  const byText = { hasText: name }
  return scope
    .getByRole('row')
    .filter(byText)
    .or(scope.getByRole('listitem').filter(byText))
    .or(scope.getByRole('article', { name }))
    .or(scope.getByRole('region', { name }))
}

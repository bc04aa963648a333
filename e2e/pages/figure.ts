import type { Locator } from '@playwright/test'

/** The value that stands under a label: a definition beside its term. */
export function figure(scope: Locator, label: string): Locator {
  const term = scope.getByRole('term').filter({ hasText: new RegExp(`^${escapePattern(label)}$`) })
  // A term and its definition share a parent; roles alone do not say which belong together.
  return term.locator('xpath=..').getByRole('definition').first()
}

function escapePattern(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
}

import type { Route } from '@binnacle/contract'
import { copy } from './copy.ts'

/** API-28: what the backend says it would refuse whatever was asked. */
export function canChange(route: Route): boolean {
  return route.is_builtin !== 1
}

export function canToggle(route: Route): boolean {
  return route.is_always_on !== 1
}

/** Why some controls of a list are disabled, in one sentence for all of its rows. */
export function boundsText(routes: readonly Route[]): string | undefined {
  if (!routes.every(canToggle)) return copy.builtin.some
  return routes.every(canChange) ? undefined : copy.builtin.plain
}

import type { Route } from '@binnacle/contract'
import { copy } from './copy.ts'

/** API-28: the backend refuses every edit and delete of a built-in route. */
export function canChange(route: Route): boolean {
  return route.is_builtin !== 1
}

export function canToggle(route: Route): boolean {
  return route.is_always_on !== 1
}

/** A path variable takes its value from the parameters, which only an edit can set. */
export function canTest(route: Route): boolean {
  return canChange(route) || !route.path.includes('{')
}

/** Why some controls of the list are disabled: one text for all rows. */
export function restrictionText(routes: readonly Route[]): string | undefined {
  const { unchanged, untoggled, untested } = copy.restrictions
  const reasons = [
    routes.every(canChange) ? [] : unchanged,
    routes.every(canToggle) ? [] : untoggled,
    routes.every(canTest) ? [] : untested,
  ].flat()
  return reasons.length === 0 ? undefined : reasons.join(' ')
}

import type { Route } from '@binnacle/contract'
import { copy } from './copy.ts'

/** API-28: what the backend says it would refuse whatever was asked. */
export function canChange(route: Route): boolean {
  return route.is_builtin !== 1
}

export function canToggle(route: Route): boolean {
  return route.is_always_on !== 1
}

/** A value for the path is one of the parameters, which only an edit could set. */
export function canTest(route: Route): boolean {
  return canChange(route) || !route.path.includes('{')
}

/** Why some controls of a list are disabled, in one sentence for all of its rows. */
export function boundsText(routes: readonly Route[]): string | undefined {
  const { unchanged, untoggled, untested } = copy.bounds
  const told = [
    routes.every(canChange) ? [] : unchanged,
    routes.every(canToggle) ? [] : untoggled,
    routes.every(canTest) ? [] : untested,
  ].flat()
  return told.length === 0 ? undefined : `${told.join('; ')}.`
}

import { METHODS, type Route, type RouteEdit } from '@binnacle/contract'
import { parseJson } from '#data/failure.ts'

/** What the form holds; a route of another backend may have a method of its own. */
export type RouteDraft = Omit<RouteEdit, 'method'> & { method: string }

/** API-20: what the add form holds whenever it is opened. */
export const EMPTY_DRAFT: RouteDraft = { method: 'GET', path: '', description: '', parameters: '{}' }

export function draftOf({ method, path, description, parameters }: Route): RouteDraft {
  return { method, path, description: description ?? '', parameters }
}

/** The draft as it is sent: unchecked, since the specification knows no validation here. */
export function editOf(draft: RouteDraft): RouteEdit {
  // A method outside the five is only ever the one the backend itself gave.
  return draft as RouteEdit
}

export function methodsFor(method: string): readonly string[] {
  const offered: readonly string[] = METHODS
  return offered.includes(method) ? offered : [...offered, method]
}

export function isJson(text: string): boolean {
  return parseJson(text) !== undefined
}

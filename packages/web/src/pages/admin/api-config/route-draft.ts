import { METHODS, type Route, type RouteEdit } from '@binnacle/contract'

/** The form state. A route of another backend may have a method outside METHODS. */
export type RouteDraft = Omit<RouteEdit, 'method'> & { method: string }

/** API-20: the initial state of the add form. */
export const EMPTY_DRAFT: RouteDraft = { method: 'GET', path: '', description: '', parameters: '{}' }

export function draftOf({ method, path, description, parameters }: Route): RouteDraft {
  return { method, path, description: description ?? '', parameters }
}

/** The draft as the request body. The specification defines no validation here. */
export function editOf(draft: RouteDraft): RouteEdit {
  // A method outside METHODS can only be one that the backend sent.
  return draft as RouteEdit
}

export function methodsFor(method: string): readonly string[] {
  const offered: readonly string[] = METHODS
  return offered.includes(method) ? offered : [...offered, method]
}

export function isJsonObject(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value)
  } catch {
    return false
  }
}

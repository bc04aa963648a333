import type { Params } from './call-pattern.ts'
import type { Reply } from './reply-overrides.ts'
import type { State } from './state.ts'

export interface HandlerInput {
  params: Params
  query: Record<string, string>
  body: unknown
  state: State
}

type Handler = (input: HandlerInput) => Reply

/** Signature to handler, e.g. 'GET /api/orders'. The first that matches answers. */
export type Routes = Record<string, Handler>

export const NOT_FOUND: Reply = { status: 404, text: 'Not Found' }

export function ok(body: unknown): Reply {
  return { body }
}

/** The body's fields, as sent; a body that is no object has none. */
export function fieldsOf(body: unknown): Record<string, unknown> {
  // Checked to be an object just before; its fields stay unknown.
  return typeof body === 'object' && body !== null ? (body as Record<string, unknown>) : {}
}

export function textOf(field: unknown, fallback = ''): string {
  return typeof field === 'string' ? field : fallback
}

export function numberOf(field: unknown): number {
  return typeof field === 'number' ? field : 0
}

/** Ids travel as text in paths and may be numbers in bodies. */
export function byId<Item extends { id: unknown }>(items: Item[], id: string | undefined): Item | undefined {
  return items.find((item) => String(item.id) === id)
}

export function without<Item extends { id: unknown }>(items: Item[], id: string | undefined): Item[] {
  return items.filter((item) => String(item.id) !== id)
}

import type { AnyEndpoint } from '@binnacle/contract'
import type { FakeApi } from './fake-api.ts'

/** Delays a reply until the returned function is called. */
export function holdReply(api: FakeApi, endpoint: AnyEndpoint, reply: unknown): () => void {
  const { promise, resolve } = Promise.withResolvers<void>()
  api.answer(endpoint, async () => {
    await promise
    return Response.json(reply)
  })
  return resolve
}

/** A refusal of single fields, named as in the request's body. */
export function fieldRefusal(fields: Record<string, string>): Response {
  const errors = Object.entries(fields).map(([field, message]) => ({ field: `body.${field}`, message }))
  const problem = { type: 'about:blank', title: 'Refused', status: 422, code: 'request.invalid', errors }
  return new Response(JSON.stringify(problem), {
    status: 422,
    headers: { 'content-type': 'application/problem+json' },
  })
}

/** A refusal with a problem document. */
export function problemReply(status: number, detail: string, code = 'engine.refused'): Response {
  const problem = { type: 'about:blank', title: 'Refused', status, detail, code }
  return new Response(JSON.stringify(problem), {
    status,
    headers: { 'content-type': 'application/problem+json' },
  })
}

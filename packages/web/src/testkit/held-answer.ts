import type { AnyEndpoint } from '@binnacle/contract'
import type { FakeApi } from './fake-api.ts'

/** Keeps an answer back until it is released. */
export function holdAnswer(api: FakeApi, endpoint: AnyEndpoint, reply: unknown): () => void {
  const { promise, resolve } = Promise.withResolvers<void>()
  api.answer(endpoint, async () => {
    await promise
    return Response.json(reply)
  })
  return resolve
}

/** A refusal that was written for the person at the screen. */
export function problemReply(status: number, detail: string): Response {
  const problem = { type: 'about:blank', title: 'Refused', status, detail, code: 'engine.refused' }
  return new Response(JSON.stringify(problem), {
    status,
    headers: { 'content-type': 'application/problem+json' },
  })
}

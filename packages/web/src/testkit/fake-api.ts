import { type AnyEndpoint, type ReplyInputOf, SITE_CONFIG_PATH } from '@binnacle/contract'
import { vi } from 'vitest'

export interface RecordedCall {
  method: string
  path: string
  query: string
  body: unknown
  /** By lower-case names. */
  headers: Record<string, string>
}

type Answer = (call: RecordedCall) => Response | Promise<Response>

/** Replaces fetch by a backend typed by the contract; a call without an answer gets 404. */
export interface FakeApi {
  /** Answers 200 with a body that the contract allows. */
  on<E extends AnyEndpoint>(
    endpoint: E,
    reply: ReplyInputOf<E> | ((call: RecordedCall) => ReplyInputOf<E>),
  ): void
  /** Answers with any response: other statuses, invalid bodies, no response. */
  answer(endpoint: AnyEndpoint, answer: Answer): void
  fail(endpoint: AnyEndpoint, status?: number, statusText?: string): void
  /** Fails like a server that is down. */
  drop(endpoint: AnyEndpoint): void
  calls(endpoint: AnyEndpoint): RecordedCall[]
  /** All calls, those of the shell and those without an answer included. */
  everyCall(): RecordedCall[]
}

export function createFakeApi(): FakeApi {
  const answers = new Map<AnyEndpoint, Answer>()
  const recorded: { endpoint: AnyEndpoint | undefined; call: RecordedCall }[] = []

  vi.stubGlobal('fetch', async (input: RequestInfo | URL, init: RequestInit = {}) => {
    const url = new URL(String(input), window.location.origin)
    if (url.pathname === SITE_CONFIG_PATH) return singleOrigin()
    const call = recordOf(url, init)
    const endpoint = [...answers.keys()].findLast((candidate) => isCallOf(candidate, call))
    recorded.push({ endpoint, call })
    const answer = endpoint && answers.get(endpoint)
    return answer ? answer(call) : new Response('not found', { status: 404, statusText: 'Not Found' })
  })

  const answer = (endpoint: AnyEndpoint, given: Answer) => {
    answers.delete(endpoint)
    answers.set(endpoint, given)
  }
  return {
    answer,
    on: (endpoint, reply) =>
      answer(endpoint, (call) => Response.json(isFunction(reply) ? reply(call) : reply)),
    fail: (endpoint, status = 500, statusText = 'Internal Server Error') =>
      answer(endpoint, () => new Response('', { status, statusText })),
    drop: (endpoint) => answer(endpoint, () => Promise.reject(new TypeError('Failed to fetch'))),
    calls: (endpoint) =>
      recorded.filter((entry) => isCallOf(endpoint, entry.call)).map((entry) => entry.call),
    everyCall: () => recorded.map((entry) => entry.call),
  }
}

function singleOrigin(): Response {
  return Response.json({ trading_api_url: '/', admin_api_url: '/', database_api_url: '/' })
}

function recordOf(url: URL, init: RequestInit): RecordedCall {
  const body = typeof init.body === 'string' ? JSON.parse(init.body) : undefined
  const headers = Object.fromEntries(new Headers(init.headers))
  return { method: init.method ?? 'GET', path: url.pathname, query: url.search, body, headers }
}

function isCallOf(endpoint: AnyEndpoint, call: RecordedCall): boolean {
  const pattern = new RegExp(`^${endpoint.path.replace(/:\w+/g, '[^/]+')}$`)
  return endpoint.method === call.method && pattern.test(call.path)
}

function isFunction<Reply>(
  reply: Reply | ((call: RecordedCall) => Reply),
): reply is (call: RecordedCall) => Reply {
  return typeof reply === 'function'
}

import { type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http'
import { text } from 'node:stream/consumers'
import type { Call } from './call-log.ts'
import type { Reply } from './reply-overrides.ts'

export async function readCall(request: IncomingMessage, url: URL): Promise<Call> {
  return {
    method: request.method ?? 'GET',
    path: url.pathname,
    search: url.search,
    query: Object.fromEntries(url.searchParams),
    body: parse(await text(request)),
    headers: request.headers,
    at: Date.now(),
    status: undefined,
    abandoned: false,
    arranged: false,
  }
}

export function sendReply(response: ServerResponse, answer: Reply): void {
  const { status = 200, statusText = STATUS_CODES[status] ?? '', headers = {} } = answer
  const type = answer.text === undefined ? 'application/json' : 'text/plain'
  response.writeHead(status, statusText, { 'content-type': type, 'cache-control': 'no-store', ...headers })
  response.end(payloadOf(answer))
}

function payloadOf({ text: plain, body }: Reply): string {
  if (plain !== undefined) return plain
  return body === undefined ? '' : JSON.stringify(body)
}

function parse(body: string): unknown {
  if (body === '') return undefined
  try {
    return JSON.parse(body)
  } catch {
    return body
  }
}

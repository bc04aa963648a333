import {
  type AnyEndpoint,
  ENGINE_HEADER,
  IDEMPOTENCY_HEADER,
  type ReplyOf,
  type RequestOf,
} from '@binnacle/contract'
import { apiErrorFrom, ReplyError } from '#data/failure.ts'
import { type Addresses, loadAddresses } from './addresses.ts'
import { chosenEngine, switchEngineAndReload } from './chosen-engine.ts'
import { createDeadline, orAborted } from './deadline.ts'
import { findPageReply } from './page-data.ts'

/** CLIENT-1 */
const TIMEOUT_MS = 30_000
/** MKT-49: a file of several hundred megabytes takes longer than a call. */
const UPLOAD_TIMEOUT_MS = 15 * 60_000

export interface CallOptions {
  signal?: AbortSignal | undefined
  /** The idempotency key, for calls that take one. */
  key?: string | undefined
  /** The body of a call that takes a file. */
  file?: Blob | undefined
  /** The engine, unless it is the one that the page shows; null for the first one. */
  engine?: string | null | undefined
}

export interface RawResponse {
  url: string
  status: number
  text: string
}

/** Sends one request and reads the response body. Throws an ApiError for any status that is not OK. */
export async function sendRequest<E extends AnyEndpoint>(
  endpoint: E,
  request: RequestOf<E>,
  { signal, key, file, engine }: CallOptions,
): Promise<RawResponse> {
  const deadline = createDeadline(file === undefined ? TIMEOUT_MS : UPLOAD_TIMEOUT_MS, signal)
  try {
    const addresses = await orAborted(loadAddresses(), deadline.signal)
    const url = urlOf(endpoint, request, addresses)
    const init =
      file === undefined ? requestInit(endpoint, request, { key, engine }) : uploadInit(endpoint, file)
    const inPage = isPlainGet(endpoint, engine) ? findPageReply(url) : undefined
    if (inPage !== undefined) return { url, status: 200, text: inPage }
    const response = await fetch(url, { ...init, signal: deadline.signal })
    if (!response.ok) {
      const error = await apiErrorFrom(response)
      // ENGS-12: the backend's list of engines was changed.
      if (engine === undefined && error.problem?.code === 'engine.not-configured')
        switchEngineAndReload(undefined)
      throw error
    }
    return { url, status: response.status, text: await response.text() }
  } finally {
    deadline.clear()
  }
}

export function parseReply<E extends AnyEndpoint>(endpoint: E, body: unknown): ReplyOf<E> {
  const reply = endpoint.reply.safeParse(body)
  if (!reply.success) throw new ReplyError(`${endpoint.method} ${endpoint.path}`, reply.error)
  // The reply was just parsed by this endpoint's own schema.
  return reply.data as ReplyOf<E>
}

interface LooseRequest {
  params?: unknown
  query?: unknown
  body?: unknown
}

export function urlOf(endpoint: AnyEndpoint, request: LooseRequest, addresses: Addresses): string {
  const path = endpoint.path.replace(/:(\w+)/g, (_, name: string) =>
    encodeURIComponent(fieldOf(request.params, name)),
  )
  const query = queryOf(request.query)
  const app = endpoint.app === 'every' ? 'trading' : endpoint.app
  return `${addresses[app]}${path}${query && `?${query}`}`
}

function queryOf(query: unknown): string {
  if (typeof query !== 'object' || query === null) return ''
  const given = Object.entries(query).filter(([, value]) => value !== undefined)
  return given
    .map(([key, value]) => `${encodeURIComponent(key)}=${encodeURIComponent(String(value))}`)
    .join('&')
}

function fieldOf(params: unknown, name: string): string {
  // The params schema has a field for every placeholder of the path, and RequestOf requires it.
  return String((params as Record<string, unknown>)[name])
}

export function requestInit(
  endpoint: AnyEndpoint,
  request: LooseRequest,
  { key, engine }: Pick<CallOptions, 'key' | 'engine'> = {},
): RequestInit {
  const { method } = endpoint
  const headers = {
    ...engineHeader(endpoint, engine),
    ...(request.body !== undefined && { 'Content-Type': 'application/json' }),
    ...(key !== undefined && { [IDEMPOTENCY_HEADER]: key }),
  }
  return { method, headers, ...(request.body !== undefined && { body: JSON.stringify(request.body) }) }
}

function uploadInit(endpoint: AnyEndpoint, file: Blob): RequestInit {
  const { method, consumes } = endpoint
  return { method, headers: { ...engineHeader(endpoint), 'Content-Type': String(consumes) }, body: file }
}

/** The page has replies of its own server's engine alone. */
function isPlainGet(endpoint: AnyEndpoint, engine: CallOptions['engine']): boolean {
  return endpoint.method === 'GET' && engineHeader(endpoint, engine) === false
}

/** The admin and the database API are the same for every engine. */
function engineHeader({ app }: AnyEndpoint, engine: CallOptions['engine'] = chosenEngine()) {
  return app === 'trading' && typeof engine === 'string' && { [ENGINE_HEADER]: engine }
}

import { lookup } from 'node:dns/promises'
import type { Authority } from '#config/authority.ts'
import { findDestination, type Resolve } from './destination.ts'
import { describeFailure } from './outbound-failure.ts'
import { requestHeaders } from './request-headers.ts'
import { type RawResponse, sendRequest } from './send-request.ts'

export interface OutboundRequest {
  method: string
  url: string
  headers?: Readonly<Record<string, string>>
  body?: string | undefined
  /** Maximum part of the response body to return; with 0 the body is not read. */
  maxBodyBytes: number
}

export type OutboundOutcome =
  | ({ ok: true; elapsedMs: number } & RawResponse)
  | { ok: false; elapsedMs: number; sentence: string }

/** The only way to call an address that a user entered. Never throws. */
export interface Outbound {
  send(request: OutboundRequest): Promise<OutboundOutcome>
}

export interface OutboundOptions {
  /** Allowed hosts besides loopback. */
  allowedHosts: readonly Authority[]
  resolve?: Resolve
  /** Starts the timeout of one call, from DNS lookup to the last byte. */
  startDeadline?: () => AbortSignal
}

/** API-10, and the same for route tests. */
const DEADLINE_MS = 5000

export function createOutbound({
  allowedHosts,
  resolve = (name) => lookup(name, { all: true }),
  startDeadline = () => AbortSignal.timeout(DEADLINE_MS),
}: OutboundOptions): Outbound {
  async function deliver(request: OutboundRequest, signal: AbortSignal): Promise<RawResponse> {
    const body = request.body === undefined ? undefined : Buffer.from(request.body)
    const headers = requestHeaders(request.headers ?? {}, body)
    const destination = await findDestination(request.url, allowedHosts, resolve)
    // A DNS lookup cannot be cancelled; a result after the deadline is discarded.
    signal.throwIfAborted()
    const { method, maxBodyBytes } = request
    return sendRequest({ destination, method, headers, body, maxBodyBytes, signal })
  }

  return {
    send(request) {
      const startMs = performance.now()
      const signal = startDeadline()
      const elapsedMs = () => Math.round(performance.now() - startMs)
      const describe = (failure: unknown) =>
        signal.aborted ? TOO_SLOW : describeFailure(failure, hostIn(request.url))
      return Promise.race([deliver(request, signal), rejectionAt(signal)]).then(
        (reply): OutboundOutcome => ({ ok: true, elapsedMs: elapsedMs(), ...reply }),
        (failure): OutboundOutcome => ({ ok: false, elapsedMs: elapsedMs(), sentence: describe(failure) }),
      )
    },
  }
}

const TOO_SLOW = `No complete response within ${DEADLINE_MS / 1000} seconds.`

function rejectionAt(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true })
  })
}

function hostIn(url: string): string {
  return URL.parse(url)?.host ?? 'the address'
}

import { lookup } from 'node:dns/promises'
import type { Authority } from '#http/authority.ts'
import { findDestination, type Resolve } from './destination.ts'
import { type ExchangeReply, exchange } from './exchange.ts'
import { sentenceOfFailure } from './failure-sentence.ts'
import { requestHeaders } from './request-headers.ts'

export interface OutboundRequest {
  method: string
  url: string
  headers?: Readonly<Record<string, string>>
  body?: string | undefined
  /** How much of the reply's body is kept; with 0 it is not read at all. */
  keepBytes: number
}

export type OutboundOutcome =
  | ({ ok: true; elapsedMs: number } & ExchangeReply)
  | { ok: false; elapsedMs: number; sentence: string }

/** The one way in which this server calls an address that somebody gave it. Never throws. */
export interface Outbound {
  send(request: OutboundRequest): Promise<OutboundOutcome>
}

export interface OutboundOptions {
  /** What may be called besides loopback. */
  allowedHosts: readonly Authority[]
  resolve?: Resolve
  /** Starts the time that one call may take from its look-up to the last byte. */
  startDeadline?: () => AbortSignal
}

/** API-10, and the same for route tests. */
const DEADLINE_MS = 5000

export function createOutbound({
  allowedHosts,
  resolve = (name) => lookup(name, { all: true }),
  startDeadline = () => AbortSignal.timeout(DEADLINE_MS),
}: OutboundOptions): Outbound {
  async function deliver(request: OutboundRequest, signal: AbortSignal): Promise<ExchangeReply> {
    const body = request.body === undefined ? undefined : Buffer.from(request.body)
    const headers = requestHeaders(request.headers ?? {}, body)
    const destination = await findDestination(request.url, allowedHosts, resolve)
    // A look-up cannot be stopped, but what comes of it after the deadline is not used.
    signal.throwIfAborted()
    const { method, keepBytes } = request
    return exchange({ destination, method, headers, body, keepBytes, signal })
  }

  return {
    send(request) {
      const begun = performance.now()
      const signal = startDeadline()
      const elapsedMs = () => Math.round(performance.now() - begun)
      const told = (failure: unknown) =>
        signal.aborted ? TOO_SLOW : sentenceOfFailure(failure, hostIn(request.url))
      return Promise.race([deliver(request, signal), rejectionAt(signal)]).then(
        (reply): OutboundOutcome => ({ ok: true, elapsedMs: elapsedMs(), ...reply }),
        (failure): OutboundOutcome => ({ ok: false, elapsedMs: elapsedMs(), sentence: told(failure) }),
      )
    },
  }
}

const TOO_SLOW = `There was no complete answer within ${DEADLINE_MS / 1000} seconds.`

function rejectionAt(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true })
  })
}

function hostIn(url: string): string {
  return URL.parse(url)?.host ?? 'the address'
}

import { useQuery } from '@tanstack/react-query'
import { type RefObject, useMemo, useRef } from 'react'
import { capabilityQueries } from '#data/capabilities.ts'
import { ApiError } from '#data/failure.ts'

export interface RepeatKey {
  /** Sends a request under the key that it had before, if it is the same and no answer came. */
  ask<Reply>(request: unknown, send: (key: string | undefined) => Promise<Reply>): Promise<Reply>
  /** What is asked from now on is meant once more, even if it is the same. */
  beginAnew(): void
}

/**
 * A reply that got lost looks like a request that did: sent again under the same key, it is not done twice. Only a live
 * backend is sent one, since the baseline knows no such header.
 */
export function useRepeatKey(): RepeatKey {
  const { data: backend } = useQuery(capabilityQueries.backend())
  const isLive = backend?.kind === 'live'
  const unanswered = useRef<Unanswered | null>(null)
  return useMemo(
    () => ({
      ask: (request, send) => (isLive ? askUnderKey(unanswered, request, send) : send(undefined)),
      beginAnew: () => forget(unanswered),
    }),
    [isLive],
  )
}

interface Unanswered {
  text: string
  key: string
}

async function askUnderKey<Reply>(
  unanswered: RefObject<Unanswered | null>,
  request: unknown,
  send: (key: string) => Promise<Reply>,
): Promise<Reply> {
  const text = JSON.stringify(request)
  const key = unanswered.current?.text === text ? unanswered.current.key : newKey()
  unanswered.current = { text, key }
  try {
    const reply = await send(key)
    forget(unanswered)
    return reply
  } catch (error) {
    if (isRefusal(error)) forget(unanswered)
    throw error
  }
}

function forget(unanswered: RefObject<Unanswered | null>): void {
  unanswered.current = null
}

/** Nothing was done; any other failure may hide that it was. */
function isRefusal(error: unknown): boolean {
  return error instanceof ApiError && error.status >= 400 && error.status < 500
}

/** Not by randomUUID, which pages have only at addresses that browsers call safe. */
function newKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  return [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('')
}

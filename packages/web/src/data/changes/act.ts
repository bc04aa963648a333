import type { Id } from '@binnacle/contract'
import { type MutationKey, type QueryKey, useQueryClient } from '@tanstack/react-query'
import { useCallback, useMemo } from 'react'
import type { FailurePolicy } from '#data/failure.ts'
import { useChange, useSentUnderWay } from './change.ts'

/** What the screen that acts decides. */
export interface ActOptions<Reply = unknown> {
  onFailure: FailurePolicy
  /** The OK came; what the act touches is still being loaded again. */
  onDone?: (reply: Reply) => void
}

interface Act<Request, Reply> {
  key: MutationKey
  send: (request: Request) => Promise<Reply>
  /** What the act touches: loaded again whatever the outcome, since a failed call may still have arrived. */
  touches: QueryKey
}

interface Asked<Request> {
  request: Request
  onFresh: (() => void) | undefined
}

/**
 * A change on a trading screen, whose OK is all that counts. It is under way until what it touches is fresh, and then
 * tells `onFresh`; nothing is optimistic.
 */
export function useAct<Request, Reply>(
  { key, send, touches }: Act<Request, Reply>,
  { onFailure, onDone }: ActOptions<Reply>,
) {
  const client = useQueryClient()
  const refresh = () => client.invalidateQueries({ queryKey: touches })
  const start = useChange<Asked<Request>, Reply>({
    key,
    subject: subjectOf,
    send: ({ request }) => send(request),
    onReply: async (reply, { onFresh }) => {
      onDone?.(reply)
      await refresh()
      onFresh?.()
    },
    onFailure: (error) => {
      onFailure(error)
      return refresh()
    },
  })
  const run = useCallback(
    (request: Request, onFresh?: () => void) => void start({ request, onFresh }),
    [start],
  )
  return { run, isPending: useSentUnderWay(key).length > 0 }
}

/** The ids an act is under way for, wherever it was begun. */
export function usePendingIds(key: MutationKey): ReadonlySet<Id> {
  // Only acts that take an id are asked for here.
  const asked = useSentUnderWay(key) as Asked<Id>[]
  return useMemo(() => new Set(asked.map(({ request }) => request)), [asked])
}

/** What is acted on by its id can be so side by side; of a form there is one. */
function subjectOf({ request }: Asked<unknown>): string {
  return typeof request === 'object' ? 'form' : String(request)
}

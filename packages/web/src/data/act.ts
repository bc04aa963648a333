import type { Id } from '@binnacle/contract'
import {
  type MutationKey,
  type QueryKey,
  useMutation,
  useMutationState,
  useQueryClient,
} from '@tanstack/react-query'
import { useCallback, useMemo } from 'react'
import type { FailurePolicy } from './failure.ts'

/** What the screen that acts decides. */
export interface ActOptions {
  onFailure: FailurePolicy
  /** The OK came; what the act touches is still being loaded again. */
  onDone?: () => void
}

interface Act<Request> {
  key: MutationKey
  send: (request: Request) => Promise<unknown>
  /** What the act touches: loaded again whatever the outcome, since a failed call may still have arrived. */
  touches: QueryKey
}

/**
 * An act on a trading screen. It counts as pending until what it touches is fresh, and then tells `onFresh`;
 * nothing is optimistic.
 */
export function useAct<Request>({ key, send, touches }: Act<Request>, { onFailure, onDone }: ActOptions) {
  const client = useQueryClient()
  const { mutate, isPending } = useMutation({
    mutationKey: key,
    mutationFn: send,
    onSuccess: () => onDone?.(),
    onError: (error) => onFailure(error),
    onSettled: () => client.invalidateQueries({ queryKey: touches }),
  })
  // The second click of a double click comes before the button could be drawn as busy, so the cache is asked.
  const run = useCallback(
    (request: Request, onFresh?: () => void) => {
      const isSameAct = (variables: unknown) => typeof request === 'object' || variables === request
      const pending = client.isMutating({
        mutationKey: key,
        predicate: ({ state }) => isSameAct(state.variables),
      })
      if (pending === 0) mutate(request, { onSuccess: () => onFresh?.() })
    },
    [client, key, mutate],
  )
  return { run, isPending }
}

/** The ids an act is under way for, wherever it was begun. */
export function usePendingIds(key: MutationKey): ReadonlySet<Id> {
  const ids = useMutationState({
    filters: { mutationKey: key, status: 'pending' },
    // Only acts that take an id are asked for here.
    select: ({ state }) => state.variables as Id,
  })
  return useMemo(() => new Set(ids), [ids])
}

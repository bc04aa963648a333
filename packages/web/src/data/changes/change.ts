import { type MutationKey, useMutation, useMutationState, useQueryClient } from '@tanstack/react-query'
import { useCallback, useMemo } from 'react'
import type { FailurePolicy } from '#data/failure.ts'

/** What the screen decides about a change: what a failure does, and what follows when it was done. */
export interface ChangeOptions<Sent, Reply = unknown> {
  onFailure: FailurePolicy
  onDone: (sent: Sent, reply: Reply) => void
}

interface Change<Sent, Reply> {
  key: MutationKey
  /** What is changed: two changes of one subject are never under way at once. */
  subject: (sent: Sent) => string
  send: (sent: Sent) => Promise<Reply>
  /** The change counts as under way until what this returns has ended. */
  onReply: (reply: Reply, sent: Sent) => unknown
  onFailure: (error: unknown, sent: Sent) => unknown
}

interface UnderWay<Sent> {
  subject: string
  sent: Sent
}

/** Starts a change and says so, or says no because its subject is still being changed. */
export type StartChange<Sent> = (sent: Sent) => boolean

/**
 * A change, of whatever kind: the one way in which the console changes something. The cache itself is asked whether the subject is busy, since the second
 * click of a double click may come before the button is drawn as busy.
 */
export function useChange<Sent, Reply>(change: Change<Sent, Reply>): StartChange<Sent> {
  const cache = useQueryClient().getMutationCache()
  const { mutate } = useMutation({
    mutationKey: change.key,
    mutationFn: ({ sent }: UnderWay<Sent>) => change.send(sent),
    onSuccess: (reply, { sent }) => change.onReply(reply, sent),
    onError: (error, { sent }) => change.onFailure(error, sent),
  })
  const { key, subject: nameSubject } = change
  return useCallback(
    (sent) => {
      const subject = nameSubject(sent)
      const pending = cache.findAll({ mutationKey: key, status: 'pending' })
      if (pending.some(({ state }) => underWay(state.variables).subject === subject)) return false
      mutate({ subject, sent })
      return true
    },
    [cache, key, nameSubject, mutate],
  )
}

/** The subjects that are being changed, wherever the change was begun. */
export function useSubjectsUnderWay(key: MutationKey): ReadonlySet<string> {
  const subjects = useMutationState({
    filters: { mutationKey: key, status: 'pending' },
    select: ({ state }) => underWay(state.variables).subject,
  })
  return useMemo(() => new Set(subjects), [subjects])
}

/** What was sent with the changes that are under way. */
export function useSentUnderWay(key: MutationKey): readonly unknown[] {
  return useMutationState({
    filters: { mutationKey: key, status: 'pending' },
    select: ({ state }) => underWay(state.variables).sent,
  })
}

function underWay(variables: unknown): UnderWay<unknown> {
  // useChange wraps what is sent, and every key belongs to one use of it.
  return variables as UnderWay<unknown>
}

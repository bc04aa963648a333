import type { AlertState } from '@binnacle/contract'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { alertQueries, type InboxAction, useInboxAction } from '#data/alerts.ts'
import { createFailureToasts } from './command-failures.ts'

const SNOOZE_S = 3600
const NO_COUNTS = { open: 0, acknowledged: 0, resolved: 0 }

/** The inbox of alerts with its commands, the same on every screen that has one. */
export function useAlertInbox() {
  const [shown, setShown] = useState<AlertState>('open')
  const { data: summary } = useQuery(alertQueries.summary())
  const { data: resolved } = useQuery({ ...alertQueries.resolved(), enabled: shown === 'resolved' })
  const act = useInboxAction(
    createFailureToasts<InboxAction>({
      name: ({ id }) => `alert ${id}`,
      unknown: ({ id }) =>
        `No answer. Alert ${id} may have been changed. Look at the list before you try again.`,
    }),
  )
  return {
    counts: summary ?? NO_COUNTS,
    shown,
    onShow: setShown,
    alerts: shown === 'resolved' ? resolved : summary?.alerts.filter(({ state }) => state === shown),
    busy: act.pendingSubjects,
    on: {
      acknowledge: ({ id }: Subject) => act.run({ id, action: 'acknowledge' }),
      resolve: ({ id }: Subject) => act.run({ id, action: 'resolve' }),
      snooze: ({ id }: Subject) => act.run({ id, action: 'snooze', seconds: SNOOZE_S }),
    },
  }
}

type Subject = Pick<InboxAction, 'id'>

import { type Id, jobs } from '@binnacle/contract'
import { useChange, useSubjectsUnderWay } from './changes/change.ts'
import { call } from './client.ts'
import type { FailurePolicy } from './failure.ts'

const CANCEL = ['jobs', 'cancel']

/** Tells a job to stop. Whoever follows it hears of its end, so there is nothing to load again. */
export function useCancelJob({ onFailure }: { onFailure: FailurePolicy }) {
  const start = useChange({
    key: CANCEL,
    subject: String,
    send: (id: Id) => call(jobs.cancel, { params: { id } }),
    onReply: () => undefined,
    onFailure,
  })
  const underWay = useSubjectsUnderWay(CANCEL)
  return { start, isUnderWay: (id: Id) => underWay.has(String(id)) }
}

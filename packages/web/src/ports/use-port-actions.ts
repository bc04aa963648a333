import { useQueryClient } from '@tanstack/react-query'
import { useChange, useSubjectsUnderWay } from '#data/changes/change.ts'
import type { FailurePolicy } from '#data/failure.ts'
import type { Ports } from './controls.ts'
import { portKey } from './port-queries.ts'

export interface PortAction {
  /** Names the control that was pressed: it is busy, and takes no second press, until its act has ended. */
  control: string
  run: () => Promise<unknown>
  onStart: () => void
  onDone: () => void
  onFailure: FailurePolicy
}

export interface PortActions {
  start: (action: PortAction) => void
  isBusy: (control: string) => boolean
}

/** Acts on a port. They go on when the screen is left, and what they touched is read again before they count as done. */
export function usePortActions(name: keyof Ports): PortActions {
  const client = useQueryClient()
  const key = [...portKey(name), 'act']
  const begin = useChange({
    key,
    subject: (action: PortAction) => action.control,
    send: (action) => action.run(),
    onReply: (_, action) => {
      action.onDone()
      return client.invalidateQueries({ queryKey: portKey(name) })
    },
    onFailure: (error, action) => action.onFailure(error),
  })
  const busy = useSubjectsUnderWay(key)
  return {
    start: (action) => {
      if (begin(action)) action.onStart()
    },
    isBusy: (control) => busy.has(control),
  }
}

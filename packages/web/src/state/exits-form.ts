import type { Done, Position } from '@binnacle/contract'
import { useCallback, useState } from 'react'
import { useChangeExits } from '#data/positions.ts'
import { formFailure, toastFailureAfterUnmount } from './command-failures.ts'

const UNKNOWN = 'No answer. The exit prices may have been saved; check the position before saving them again.'
const FIELDS = ['stop_loss', 'take_profit'] as const

type Exits = { [Field in (typeof FIELDS)[number]]?: number | null }

/** The form for the exit prices of a position, which stays open with the reason while they are refused. */
export function useExitsForm(onDone?: (reply: Done) => void) {
  const [position, setPosition] = useState<Position>()
  const close = () => setPosition(undefined)
  const change = useChangeExits({
    onFailure: toastFailureAfterUnmount(UNKNOWN),
    onDone: (reply) => {
      close()
      onDone?.(reply)
    },
  })
  const { reset } = change
  const open = useCallback(
    (chosen: Position) => {
      reset()
      setPosition(chosen)
    },
    [reset],
  )
  return {
    open,
    dialogProps: {
      position,
      busy: change.isPending,
      failure: change.failure && formFailure(change.failure, { unknown: UNKNOWN, fields: FIELDS }),
      onClose: close,
      onSubmit: (exits: Exits) => position && change.run({ id: position.id, ...exits }),
    },
  }
}

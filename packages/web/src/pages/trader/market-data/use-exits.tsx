import type { Position } from '@binnacle/contract'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { capabilityQueries, offers } from '#data/capabilities.ts'
import { useExitsForm } from '#state/exits-form.ts'
import type { ExitName } from '#ui/order/exits.ts'
import { ExitsDialog } from '#ui/order/exits-dialog.tsx'
import { exitOfLine } from './own-lines.ts'

interface DroppedExit {
  exit: ExitName
  price: number
}

/** MKT-55: the exit prices of the positions on this screen. */
export function useExits(positions: readonly Position[], tick: number) {
  const { data: backend } = useQuery(capabilityQueries.backend())
  const [dropped, setDropped] = useState<DroppedExit>()
  const form = useExitsForm()
  const open = (position: Position, exit?: DroppedExit) => {
    setDropped(exit)
    form.open(position)
  }
  return {
    /** Undefined where the backend does not offer it. */
    open: offers(backend, 'position-exits') ? (position: Position) => open(position) : undefined,
    /** A line was dropped; false if it is not one of an exit price. */
    drop: (line: string, price: number): boolean => {
      const found = exitOfLine(line)
      const position = found && positions.find(({ id }) => String(id) === found.positionId)
      if (found && position) open(position, { exit: found.exit, price })
      return found !== undefined
    },
    dialog: (
      <ExitsDialog
        {...form.dialogProps}
        now={positions.find(({ id }) => id === form.dialogProps.position?.id)?.current_price}
        dropped={dropped}
        tick={tick}
      />
    ),
  }
}

import type { Position } from '@binnacle/contract'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { capabilityQueries, offers } from '#data/capabilities.ts'
import { useChangeExits } from '#data/positions.ts'
import { formFailure, toastFailureAfterUnmount } from '#state/command-failures.ts'
import type { ExitName } from '#ui/order/exits.ts'
import { ExitsDialog } from '#ui/order/exits-dialog.tsx'
import { copy } from './copy.ts'
import { exitOfLine } from './own-lines.ts'

interface Target {
  position: Position
  dropped: { exit: ExitName; price: number } | undefined
}

/** MKT-55: the exit prices of the positions on this screen. */
export function useExits(positions: readonly Position[], tick: number) {
  const { data: backend } = useQuery(capabilityQueries.backend())
  const [target, setTarget] = useState<Target>()
  const close = () => setTarget(undefined)
  const change = useChangeExits({ onFailure: toastFailureAfterUnmount(copy.exits.unknown), onDone: close })
  const open = (position: Position, dropped?: Target['dropped']) => {
    change.reset()
    setTarget({ position, dropped })
  }
  const failure =
    change.failure &&
    formFailure(change.failure, { unknown: copy.exits.unknown, fields: ['stop_loss', 'take_profit'] })
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
        position={target?.position}
        now={positions.find(({ id }) => id === target?.position.id)?.current_price}
        dropped={target?.dropped}
        tick={tick}
        busy={change.isPending}
        failure={failure}
        onClose={close}
        onSubmit={(exits) => target && change.run({ id: target.position.id, ...exits })}
      />
    ),
  }
}

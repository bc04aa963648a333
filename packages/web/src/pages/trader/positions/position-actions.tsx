import type { Id, Position } from '@binnacle/contract'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useCallback, useState } from 'react'
import { capabilityQueries, offers } from '#data/capabilities.ts'
import { useInstruments, useTickSizes } from '#data/instruments.ts'
import { useCloseAll, useClosePart, useClosePosition } from '#data/positions.ts'
import { createFailureToasts, formFailure, toastFailureAfterUnmount } from '#state/command-failures.ts'
import { useExitsForm } from '#state/exits-form.ts'
import { notify, showOutcomes, showUnconfirmed } from '#state/toasts.ts'
import { Button } from '#ui/control/button.tsx'
import { useConfirm } from '#ui/control/confirm.tsx'
import { ExitsDialog } from '#ui/order/exits-dialog.tsx'
import { ClosePartDialog } from './close-part-dialog.tsx'
import { ClosePositionDetails } from './close-position-details.tsx'
import { copy } from './copy.ts'

export interface PositionActions {
  /** Positions whose close is pending. */
  busyIds: ReadonlySet<string>
  onClose: (position: Position) => void
  /** Undefined where the backend does not offer it. */
  onClosePart: ((position: Position) => void) | undefined
  /** Undefined where the backend does not offer it. */
  onExits: ((position: Position) => void) | undefined
  /** Undefined where the backend does not offer it. */
  closeAll: ReactNode
  dialogs: ReactNode
}

/** What can be done with open positions. */
export function usePositionActions(positions: readonly Position[] | undefined): PositionActions {
  const { data: backend } = useQuery(capabilityQueries.backend())
  const hasControl = offers(backend, 'order-control')
  const { run: close, pendingSubjects: busyIds } = useClosePosition({
    ...closeFailures,
    onDone: showUnconfirmed,
  })
  const all = useCloseAll({ ...closeAllFailures, onDone: showOutcomes })
  const part = usePartDialog()
  const exits = useExitsDialog(positions)
  const { ask, dialog } = useConfirm()
  const onClose = useCallback(
    (position: Position) =>
      ask({
        question: copy.closeQuestion,
        detail: <ClosePositionDetails position={position} />,
        action: copy.confirmClose,
        onConfirm: () => close(position.id),
      }),
    [ask, close],
  )
  const count = positions?.length ?? 0
  const askToCloseAll = () =>
    ask({
      question: copy.closeAllQuestion,
      detail: copy.closeAllDetail(count),
      action: copy.confirmCloseAll,
      onConfirm: () => all.run({}),
    })
  return {
    busyIds,
    onClose,
    onClosePart: hasControl ? part.open : undefined,
    onExits: offers(backend, 'position-exits') ? exits.open : undefined,
    closeAll: hasControl && (
      <Button kind="danger" busy={all.isPending} disabled={count === 0} onClick={askToCloseAll}>
        {copy.closeAll}
      </Button>
    ),
    dialogs: (
      <>
        {dialog}
        {part.dialog}
        {exits.dialog}
      </>
    ),
  }
}

const closeFailures = createFailureToasts<Id>({
  name: (id) => `close ${id}`,
  unknown: copy.closeUnknown,
})

const closeAllFailures = createFailureToasts<unknown>({
  name: () => 'close all',
  unknown: () => copy.closeAllUnknown,
})

function usePartDialog() {
  const [position, setPosition] = useState<Position>()
  const instruments = useInstruments()
  const hide = () => setPosition(undefined)
  const part = useClosePart({
    onFailure: toastFailureAfterUnmount(copy.part.unknown),
    onDone: (reply) => {
      hide()
      if (reply.confirmed === false) showUnconfirmed(reply)
      else if (reply.message !== undefined) notify('success', reply.message)
    },
  })
  const { reset } = part
  const open = useCallback(
    (chosen: Position) => {
      reset()
      setPosition(chosen)
    },
    [reset],
  )
  const failure =
    part.failure && formFailure(part.failure, { unknown: copy.part.unknown, fields: ['quantity'] })
  const dialog = (
    <ClosePartDialog
      position={position}
      lot={instruments.find(({ id }) => id === position?.instrument)?.lot_size}
      busy={part.isPending}
      failure={failure}
      onClose={hide}
      onSubmit={(quantity) => position && part.run({ id: position.id, quantity })}
    />
  )
  return { open, dialog }
}

function useExitsDialog(positions: readonly Position[] | undefined) {
  const ticks = useTickSizes()
  const { open, dialogProps } = useExitsForm(({ message }) => {
    if (message !== undefined) notify('success', message)
  })
  const { position } = dialogProps
  const dialog = (
    <ExitsDialog
      {...dialogProps}
      now={positions?.find(({ id }) => id === position?.id)?.current_price}
      tick={position && ticks.get(position.instrument)}
    />
  )
  return { open, dialog }
}

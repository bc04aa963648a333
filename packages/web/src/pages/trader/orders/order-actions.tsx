import type { Order } from '@binnacle/contract'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { capabilityQueries, offers } from '#data/capabilities.ts'
import { useCancelAll } from '#data/orders.ts'
import { createFailureToasts } from '#state/command-failures.ts'
import { useOrderChanges } from '#state/order-changes.ts'
import { showOutcomes } from '#state/toasts.ts'
import { Button } from '#ui/control/button.tsx'
import { useConfirm } from '#ui/control/confirm.tsx'
import { useOrderChangeDialogs } from '#ui/order/order-change-dialogs.tsx'
import { copy } from './copy.ts'
import { type OrdersPageState, useWorkingCount } from './order-list.ts'

export interface OrderActions {
  /** Orders whose cancel is pending. */
  busyIds: ReadonlySet<string>
  onCancel: (order: Order) => void
  /** Undefined where the backend does not offer it. */
  onModify: ((order: Order) => void) | undefined
  /** The button for all working orders; undefined where the backend does not offer it. */
  cancelAll: ReactNode
  dialogs: ReactNode
}

/** What can be done with working orders. Cancel All acts on the instrument and the strategy that are filtered. */
export function useOrderActions(shown: OrdersPageState): OrderActions {
  const { data: backend } = useQuery(capabilityQueries.backend())
  const hasControl = offers(backend, 'order-control')
  const { busyIds, cancel, openForm, form } = useOrderChanges()
  const { onCancel, dialogs } = useOrderChangeDialogs({ cancel, form })
  const all = useCancelAll({ ...cancelAllFailures, onDone: showOutcomes })
  const { ask, dialog } = useConfirm()
  const { instrument, strategy } = shown.view
  const scope = { ...(instrument !== '' && { instrument }), ...(strategy !== '' && { strategy }) }
  const askToCancelAll = (working: number) =>
    ask({
      question: copy.cancelAllQuestion,
      detail: copy.cancelAllDetail(working, Object.values(scope).join(', ')),
      action: copy.confirmCancelAll,
      dismiss: copy.keepAll,
      onConfirm: () => all.run(scope),
    })
  return {
    busyIds,
    onCancel,
    onModify: hasControl ? openForm : undefined,
    cancelAll: hasControl && <CancelAllButton shown={shown} busy={all.isPending} onClick={askToCancelAll} />,
    dialogs: (
      <>
        {dialog}
        {dialogs}
      </>
    ),
  }
}

interface CancelAllButtonProps {
  shown: OrdersPageState
  busy: boolean
  onClick: (working: number) => void
}

/** STREAM-283: counts by itself, since the count changes with every order. */
function CancelAllButton({ shown, busy, onClick }: CancelAllButtonProps) {
  const working = useWorkingCount(shown)
  return (
    <Button busy={busy} disabled={working === 0} onClick={() => onClick(working)}>
      {copy.cancelAll}
    </Button>
  )
}

const cancelAllFailures = createFailureToasts<unknown>({
  name: () => 'cancel all',
  unknown: () => copy.cancelAllUnknown,
})

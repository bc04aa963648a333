import type { Id, Order } from '@binnacle/contract'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useCallback, useState } from 'react'
import { capabilityQueries, offers } from '#data/capabilities.ts'
import { useTickSizes } from '#data/instruments.ts'
import { useMarketPrice } from '#data/order-preview.ts'
import { useCancelAll, useCancelOrder, useModifyOrder } from '#data/orders.ts'
import { formFailure, showFailures, toastFailureAfterUnmount } from '#state/command-failures.ts'
import { showOutcomes, showUnconfirmed } from '#state/toasts.ts'
import { Button } from '#ui/control/button.tsx'
import { useConfirm } from '#ui/control/confirm.tsx'
import { ModifyOrderDialog } from '#ui/order/modify-order-dialog.tsx'
import { copy } from './copy.ts'
import { type ShownOrders, useWorkingCount } from './order-list.ts'
import { describeOrder } from './order-status.ts'

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
export function useOrderActions(shown: ShownOrders): OrderActions {
  const { data: backend } = useQuery(capabilityQueries.backend())
  const hasControl = offers(backend, 'order-control')
  const { run: cancel, pendingSubjects: busyIds } = useCancelOrder({
    ...cancelFailures,
    onDone: showUnconfirmed,
  })
  const all = useCancelAll({ ...cancelAllFailures, onDone: showOutcomes })
  const modify = useModifyDialog()
  const { ask, dialog } = useConfirm()
  const onCancel = useCallback(
    (order: Order) =>
      ask({
        question: copy.cancelQuestion,
        detail: describeOrder(order),
        action: copy.confirmCancel,
        dismiss: copy.keep,
        onConfirm: () => cancel(order.id),
      }),
    [ask, cancel],
  )
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
    onModify: hasControl ? modify.open : undefined,
    cancelAll: hasControl && <CancelAllButton shown={shown} busy={all.isPending} onClick={askToCancelAll} />,
    dialogs: (
      <>
        {dialog}
        {modify.dialog}
      </>
    ),
  }
}

interface CancelAllButtonProps {
  shown: ShownOrders
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

const cancelFailures = showFailures<Id>({
  name: (id) => `cancel ${id}`,
  unknown: copy.cancelUnknown,
})

const cancelAllFailures = showFailures<unknown>({
  name: () => 'cancel all',
  unknown: () => copy.cancelAllUnknown,
})

function useModifyDialog() {
  const ticks = useTickSizes()
  const [order, setOrder] = useState<Order>()
  const close = () => setOrder(undefined)
  const modify = useModifyOrder({
    onFailure: toastFailureAfterUnmount(copy.modifyUnknown),
    onDone: close,
  })
  const { reset } = modify
  const open = useCallback(
    (chosen: Order) => {
      reset()
      setOrder(chosen)
    },
    [reset],
  )
  const market = useMarketPrice(order?.instrument)
  const failure =
    modify.failure &&
    formFailure(modify.failure, { unknown: copy.modifyUnknown, fields: ['quantity', 'price'] })
  const dialog = (
    <ModifyOrderDialog
      order={order}
      market={market}
      tick={order && ticks.get(order.instrument)}
      busy={modify.isPending}
      failure={failure}
      onClose={close}
      onSubmit={(change) => order && modify.run({ id: order.id, change })}
    />
  )
  return { open, dialog }
}

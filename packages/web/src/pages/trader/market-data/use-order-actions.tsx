import type { Id, Order } from '@binnacle/contract'
import { useState } from 'react'
import { useMarketPrice } from '#data/order-preview.ts'
import { useCancelOrder, useModifyOrder } from '#data/orders.ts'
import { formatQuantity } from '#format/money.ts'
import { formFailure, showFailures, toastFailureAfterUnmount } from '#state/command-failures.ts'
import { showUnconfirmed } from '#state/toasts.ts'
import { useConfirm } from '#ui/control/confirm.tsx'
import { ModifyOrderDialog } from '#ui/order/modify-order-dialog.tsx'
import { copy } from './copy.ts'

/** Cancel and modify of the orders on this screen, each with its question. */
export function useOrderActions(orders: readonly Order[], tick: number) {
  const { ask, dialog: confirmation } = useConfirm()
  const cancel = useCancelOrder({ ...cancelFailures, onDone: showUnconfirmed })
  const [target, setTarget] = useState<{ order: Order; price: number | undefined }>()
  const close = () => setTarget(undefined)
  const modify = useModifyOrder({
    onFailure: toastFailureAfterUnmount(copy.modify.unknown),
    onDone: close,
  })
  const open = (order: Order, price?: number) => {
    modify.reset()
    setTarget({ order, price })
  }
  const market = useMarketPrice(target?.order.instrument)
  const failure =
    modify.failure &&
    formFailure(modify.failure, { unknown: copy.modify.unknown, fields: ['price', 'quantity'] })
  return {
    busyIds: new Set([...cancel.pendingSubjects, ...modify.pendingSubjects]),
    cancel: (order: Order) =>
      ask({
        question: copy.cancelOrder.question,
        detail: `${order.id} · ${order.side} ${formatQuantity(order.quantity)} ${order.instrument}`,
        action: copy.cancelOrder.confirm,
        dismiss: copy.cancelOrder.keep,
        onConfirm: () => cancel.run(order.id),
      }),
    modify: open,
    /** Its line was dropped at another price. */
    drop: (id: string, price: number) => {
      const order = orders.find((candidate) => String(candidate.id) === id)
      if (order) open(order, price)
    },
    dialogs: (
      <>
        {confirmation}
        <ModifyOrderDialog
          order={target?.order}
          market={market}
          price={target?.price}
          tick={tick}
          busy={modify.isPending}
          failure={failure}
          onClose={close}
          onSubmit={(change) => target && modify.run({ id: target.order.id, change })}
        />
      </>
    ),
  }
}

const cancelFailures = showFailures<Id>({
  name: (id) => `cancel ${id}`,
  unknown: copy.cancelOrder.unknown,
})

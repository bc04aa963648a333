import type { Id, Order } from '@binnacle/contract'
import { useCallback, useState } from 'react'
import { useTickSizes } from '#data/instruments.ts'
import { useMidPrice } from '#data/order-preview.ts'
import { type OrderModification, useCancelOrder, useModifyOrder } from '#data/orders.ts'
import { createFailureToasts, formFailure, toastFailureAfterUnmount } from './command-failures.ts'
import { showUnconfirmed } from './toasts.ts'

const MODIFY_UNKNOWN = 'No answer. The order may have been changed; check the list before changing it again.'

export function cancelUnknown(id: Id): string {
  return `No answer. Order ${id} may have been cancelled; check the list before cancelling it again.`
}

const cancelFailures = createFailureToasts<Id>({ name: (id) => `cancel ${id}`, unknown: cancelUnknown })

/** The cancel of a working order, and the form that changes one, for every screen that lists orders. */
export function useOrderChanges() {
  const { run: cancel, pendingSubjects: busyIds } = useCancelOrder({
    ...cancelFailures,
    onDone: showUnconfirmed,
  })
  const [target, setTarget] = useState<{ order: Order; price: number | undefined }>()
  const close = () => setTarget(undefined)
  const {
    run: modify,
    reset,
    isPending,
    failure,
  } = useModifyOrder({ onFailure: toastFailureAfterUnmount(MODIFY_UNKNOWN), onDone: close })
  const openForm = useCallback(
    (order: Order, price?: number) => {
      reset()
      setTarget({ order, price })
    },
    [reset],
  )
  const order = target?.order
  const ticks = useTickSizes()
  const market = useMidPrice(order?.instrument)
  return {
    /** Orders whose cancel is pending. */
    busyIds,
    cancel,
    /** Opens the form, with a price if the order's line was dropped there. */
    openForm,
    form: {
      order,
      price: target?.price,
      market,
      tick: order && ticks.get(order.instrument),
      busy: isPending,
      failure: failure && formFailure(failure, { unknown: MODIFY_UNKNOWN, fields: ['quantity', 'price'] }),
      onClose: close,
      onSubmit: (change: OrderModification['change']) => order && modify({ id: order.id, change }),
    },
  }
}

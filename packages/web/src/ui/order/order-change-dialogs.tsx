import { useCallback } from 'react'
import { type Confirmation, useConfirm } from '#ui/control/confirm.tsx'
import { ModifyOrderDialog, type ModifyOrderDialogProps } from './modify-order-dialog.tsx'
import { describeOrder, type NamedOrder } from './order-rules.ts'

interface OrderChangeDialogsOptions {
  cancel: (id: string | number) => void
  form: ModifyOrderDialogProps
}

/** The question before a working order is cancelled, and the form that changes one. */
export function useOrderChangeDialogs({ cancel, form }: OrderChangeDialogsOptions) {
  const { ask, dialog } = useConfirm()
  const onCancel = useCallback(
    (order: NamedOrder) =>
      ask({ ...CANCEL_QUESTION, detail: describeOrder(order), onConfirm: () => cancel(order.id) }),
    [ask, cancel],
  )
  return {
    onCancel,
    dialogs: (
      <>
        {dialog}
        <ModifyOrderDialog {...form} />
      </>
    ),
  }
}

export const CANCEL_QUESTION: Pick<Confirmation, 'question' | 'action' | 'dismiss'> = {
  question: 'Cancel this order?',
  action: 'Cancel Order',
  dismiss: 'Keep Order',
}

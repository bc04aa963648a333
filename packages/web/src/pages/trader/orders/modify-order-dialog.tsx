import type { Order } from '@binnacle/contract'
import { type SubmitEvent, useState } from 'react'
import type { OrderModification } from '#data/orders.ts'
import type { FormFailure } from '#state/command-failures.ts'
import { Button } from '#ui/control/button.tsx'
import { Dialog, DialogActions } from '#ui/control/dialog.tsx'
import { TextField } from '#ui/control/field.tsx'
import { Notice } from '#ui/state/notice.tsx'
import { copy } from './copy.ts'
import classes from './new-order-dialog.module.css'
import { describeOrder } from './order-status.ts'

export interface ModifyOrderDialogProps {
  /** Undefined while the dialog is closed. */
  order: Order | undefined
  busy: boolean
  failure: FormFailure | undefined
  onClose: () => void
  onSubmit: (change: OrderModification) => void
}

export function ModifyOrderDialog({ order, busy, onClose, ...rest }: ModifyOrderDialogProps) {
  return (
    <Dialog
      title={copy.modifyDialog.title}
      size="small"
      opened={order !== undefined}
      busy={busy}
      onClose={onClose}
    >
      {order && <ModifyForm order={order} busy={busy} onClose={onClose} {...rest} />}
    </Dialog>
  )
}

type ModifyFormProps = ModifyOrderDialogProps & { order: Order }

function ModifyForm({ order, busy, failure, onClose, onSubmit }: ModifyFormProps) {
  const { modifyDialog: dialog } = copy
  const [quantity, setQuantity] = useState(String(order.quantity))
  const [price, setPrice] = useState(String(order.price ?? ''))
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    onSubmit(changeOf(order, quantity, price))
  }
  return (
    <form className={classes.form} noValidate onSubmit={submit}>
      <p>{describeOrder(order)}</p>
      <div className={classes.pair}>
        <TextField
          label={dialog.quantity}
          data-autofocus
          type="number"
          step="any"
          error={failure?.fields.quantity}
          value={quantity}
          onChange={setQuantity}
        />
        {typeof order.price === 'number' && (
          <TextField
            label={dialog.price}
            type="number"
            step="any"
            error={failure?.fields.price}
            value={price}
            onChange={setPrice}
          />
        )}
      </div>
      {failure?.text !== undefined && <Notice tone="bad" title={failure.text} isAlert />}
      <DialogActions>
        <Button disabled={busy} onClick={onClose}>
          {dialog.cancel}
        </Button>
        <Button kind="primary" type="submit" busy={busy}>
          {dialog.submit}
        </Button>
      </DialogActions>
    </form>
  )
}

/** Only what differs is sent; nothing different is sent whole, so that the server says so. */
function changeOf(order: Order, quantity: string, price: string): OrderModification {
  const [lots, limit] = [Number.parseFloat(quantity), Number.parseFloat(price)]
  const isPriced = typeof order.price === 'number'
  const isSame = lots === order.quantity && (!isPriced || limit === order.price)
  const change = {
    ...((isSame || lots !== order.quantity) && { quantity: lots }),
    ...(isPriced && limit !== order.price && { price: limit }),
  }
  return { id: order.id, change }
}

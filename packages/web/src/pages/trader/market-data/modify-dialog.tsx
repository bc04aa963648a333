import type { Order } from '@binnacle/contract'
import { type SubmitEvent, useState } from 'react'
import { formatQuantity, formatTickPrice } from '#format/money.ts'
import type { FormFailure } from '#state/command-failures.ts'
import { Button } from '#ui/control/button.tsx'
import { Dialog, DialogActions } from '#ui/control/dialog.tsx'
import { TextField } from '#ui/control/field.tsx'
import { Notice } from '#ui/state/notice.tsx'
import { copy } from './copy.ts'
import classes from './modify-dialog.module.css'

export interface OrderTerms {
  price: number
  quantity: number
}

export interface ModifyDialogProps {
  order: Order | undefined
  /** Where its line was dropped, else its own price. */
  price: number | undefined
  tick: number
  sending: { busy: boolean; failure: FormFailure | undefined }
  onClose: () => void
  onSubmit: (order: Order, terms: OrderTerms) => void
}

/** MKT-38: shows the new terms beside the present ones and asks. */
export function ModifyDialog({ order, sending, onClose, ...rest }: ModifyDialogProps) {
  return (
    <Dialog
      title={copy.modify.title}
      size="small"
      opened={order !== undefined}
      busy={sending.busy}
      onClose={onClose}
    >
      {order && <ModifyForm {...rest} order={order} sending={sending} onClose={onClose} />}
    </Dialog>
  )
}

function ModifyForm(props: Omit<ModifyDialogProps, 'order'> & { order: Order }) {
  const { order, tick, sending, onClose, onSubmit } = props
  const [price, setPrice] = useState(String(props.price ?? order.price ?? ''))
  const [quantity, setQuantity] = useState(String(order.quantity))
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    onSubmit(order, { price: Number.parseFloat(price), quantity: Number.parseFloat(quantity) })
  }
  const was = typeof order.price === 'number' ? formatTickPrice(order.price, tick) : copy.none
  return (
    <form className={classes.form} noValidate onSubmit={submit}>
      <p>
        {order.id} · {order.side} {order.type} {formatQuantity(order.quantity)} {order.instrument}
      </p>
      <TextField
        label={copy.modify.price}
        hint={copy.modify.was(was)}
        error={sending.failure?.fields.price}
        type="number"
        step={tick}
        data-autofocus
        value={price}
        onChange={setPrice}
      />
      <TextField
        label={copy.modify.quantity}
        hint={copy.modify.was(formatQuantity(order.quantity))}
        error={sending.failure?.fields.quantity}
        type="number"
        step="any"
        value={quantity}
        onChange={setQuantity}
      />
      {sending.failure?.text !== undefined && <Notice tone="bad" title={sending.failure.text} isAlert />}
      <DialogActions>
        <Button disabled={sending.busy} onClick={onClose}>
          {copy.modify.keep}
        </Button>
        <Button kind="primary" type="submit" busy={sending.busy}>
          {copy.modify.submit}
        </Button>
      </DialogActions>
    </form>
  )
}

import { type SubmitEvent, useState } from 'react'
import type { FormFailure } from '#form-failure.ts'
import { formatQuantity, formatTickPrice } from '#format/money.ts'
import { formatPercent } from '#format/percent.ts'
import { Button } from '#ui/control/button.tsx'
import { Dialog, DialogActions } from '#ui/control/dialog.tsx'
import { TextField } from '#ui/control/field.tsx'
import { useRefusal } from '#ui/control/use-refusal.ts'
import { Notice } from '#ui/state/notice.tsx'
import { distanceFrom, isFar } from './far-price.ts'
import classes from './modify-order-dialog.module.css'

export interface ModifiedOrder {
  id: string | number
  instrument: string
  side: string
  type: string
  quantity: number
  price?: number | null | undefined
}

export interface ModifyOrderDialogProps {
  /** Undefined while the dialog is closed. */
  order: ModifiedOrder | undefined
  /** Where its line was dropped; its own price if absent. */
  price?: number | undefined
  tick: number | undefined
  /** The middle of the quote; undefined while unknown. */
  market: number | undefined
  busy: boolean
  failure: FormFailure | undefined
  onClose: () => void
  onSubmit: (change: OrderChange) => void
}

export interface OrderChange {
  price?: number
  quantity?: number
}

/** ORD-60, MKT-38: shows the new terms beside the present ones and asks. */
export function ModifyOrderDialog({ order, busy, onClose, ...rest }: ModifyOrderDialogProps) {
  return (
    <Dialog title="Modify Order" size="small" opened={order !== undefined} busy={busy} onClose={onClose}>
      {order && <ModifyForm order={order} busy={busy} onClose={onClose} {...rest} />}
    </Dialog>
  )
}

function ModifyForm(props: ModifyOrderDialogProps & { order: ModifiedOrder }) {
  const { order, tick, market, busy, onClose, onSubmit } = props
  const [price, setPrice] = useState(String(props.price ?? order.price ?? ''))
  const [quantity, setQuantity] = useState(String(order.quantity))
  const change = changeOf(order, quantity, price)
  const { shown: failure, markSent } = useRefusal(props.failure, change)
  const distance = market === undefined || change.price === undefined ? 0 : distanceFrom(market, change.price)
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    markSent()
    onSubmit(change)
  }
  return (
    <form className={classes.form} noValidate onSubmit={submit}>
      <p>
        {order.id} · {order.side} {order.type} {formatQuantity(order.quantity)} {order.instrument}
      </p>
      {typeof order.price === 'number' && (
        <TextField
          label="Price"
          hint={`was ${tick === undefined ? order.price : formatTickPrice(order.price, tick)}`}
          error={failure?.fields.price}
          type="number"
          step={tick ?? 'any'}
          data-autofocus
          value={price}
          onChange={setPrice}
        />
      )}
      <TextField
        label="Quantity"
        hint={`was ${formatQuantity(order.quantity)}`}
        error={failure?.fields.quantity}
        type="number"
        step="any"
        value={quantity}
        onChange={setQuantity}
      />
      {isFar(distance) && (
        <Notice
          tone="warn"
          title={`The price is ${formatPercent(distance, 1)} away from the market. Check the price.`}
        />
      )}
      {failure?.text !== undefined && <Notice tone="bad" title={failure.text} isAlert />}
      <DialogActions>
        <Button kind="primary" type="submit" busy={busy}>
          Modify Order
        </Button>
        <Button disabled={busy} onClick={onClose}>
          Keep Order
        </Button>
      </DialogActions>
    </form>
  )
}

/** Only what differs is sent; nothing different is sent whole, so that the server says so. */
function changeOf(order: ModifiedOrder, quantity: string, price: string): OrderChange {
  const [lots, limit] = [Number.parseFloat(quantity), Number.parseFloat(price)]
  const isPriced = typeof order.price === 'number'
  const isSame = lots === order.quantity && (!isPriced || limit === order.price)
  return {
    ...((isSame || lots !== order.quantity) && { quantity: lots }),
    ...(isPriced && limit !== order.price && { price: limit }),
  }
}

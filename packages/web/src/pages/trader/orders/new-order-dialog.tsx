import { type Instrument, type NewOrder, ORDER_TYPES, SIDES } from '@binnacle/contract'
import { type SubmitEvent, useState } from 'react'
import { useOrderPreview } from '#data/order-preview.ts'
import { TIMES_IN_FORCE_OF, timeInForceOf } from '#data/times-in-force.ts'
import type { FormFailure } from '#form-failure.ts'
import { Button } from '#ui/control/button.tsx'
import { Dialog, DialogActions } from '#ui/control/dialog.tsx'
import { SelectField, SwitchField, TextField } from '#ui/control/field.tsx'
import { useRefusal } from '#ui/control/use-refusal.ts'
import { OrderPreview } from '#ui/order/order-preview.tsx'
import { Notice } from '#ui/state/notice.tsx'
import { copy } from './copy.ts'
import { orderHints, suggestionsOf } from './instrument-hints.ts'
import classes from './new-order-dialog.module.css'
import {
  BLANK_ORDER,
  firstInstrument,
  hasPrice,
  listedInstrument,
  type ORDER_FIELDS,
  orderFrom,
  quantityOf,
} from './order-form.ts'

export interface NewOrderDialogProps {
  opened: boolean
  busy: boolean
  /** Why the last try failed. */
  failure: FormFailure | undefined
  /** An earlier order got no answer. */
  unanswered: string | undefined
  /** With a live backend: time in force, reduce-only and a preview. */
  isLive: boolean
  /** Empty in the baseline. */
  instruments: readonly Instrument[]
  onClose: () => void
  onSubmit: (order: NewOrder) => void
}

export function NewOrderDialog({ opened, ...rest }: NewOrderDialogProps) {
  return (
    <Dialog title={copy.dialog.title} opened={opened} busy={rest.busy} onClose={rest.onClose}>
      <NewOrderForm {...rest} />
    </Dialog>
  )
}

/** Mounted only while the dialog is open, so each order starts from the defaults. */
function NewOrderForm(props: Omit<NewOrderDialogProps, 'opened'>) {
  const { busy, failure, unanswered, isLive, instruments, onClose, onSubmit } = props
  const [fields, setFields] = useState(BLANK_ORDER)
  const [instrumentText, setInstrumentText] = useState<string>()
  const form = { ...fields, instrument: instrumentText ?? firstInstrument(instruments) }
  const instrument = listedInstrument(form, instruments)
  const order = orderFrom(form, instrument)
  const hints = orderHints(instruments, instrument)
  const preview = useOrderPreview(order, instrument?.min_quantity)
  const { dialog } = copy
  const { shown, markSent } = useRefusal(failure, order, ['instrument', 'side', 'type'])
  const errorOf = (field: (typeof ORDER_FIELDS)[number]) => shown?.fields[field]
  // A hidden field cannot show its message.
  const text = shown?.text ?? (hasPrice(form) ? undefined : errorOf('price'))
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    markSent()
    onSubmit(order)
  }
  return (
    <form className={classes.form} noValidate onSubmit={submit}>
      <TextField
        label={dialog.instrument}
        data-autofocus
        hint={hints.instrument}
        error={errorOf('instrument')}
        suggestions={suggestionsOf(instruments)}
        value={form.instrument}
        onChange={setInstrumentText}
      />
      <div className={classes.pair}>
        <SelectField
          label={dialog.side}
          value={form.side}
          options={optionsOf(SIDES)}
          onChange={(side) => setFields({ ...fields, side })}
        />
        <SelectField
          label={dialog.type}
          value={form.type}
          options={optionsOf(ORDER_TYPES)}
          onChange={(type) => setFields({ ...fields, type })}
        />
        <TextField
          label={dialog.quantity}
          hint={hints.quantity}
          error={errorOf('quantity')}
          type="number"
          step="0.001"
          value={quantityOf(form, instrument)}
          onChange={(quantity) => setFields({ ...fields, quantity })}
        />
        {hasPrice(form) && (
          <TextField
            label={dialog.price}
            hint={hints.price}
            error={errorOf('price')}
            type="number"
            step="0.01"
            value={form.price}
            onChange={(price) => setFields({ ...fields, price })}
          />
        )}
        {isLive && (
          <SelectField
            label={dialog.timeInForce}
            error={errorOf('time_in_force')}
            value={timeInForceOf(form.type, form.timeInForce)}
            options={optionsOf(TIMES_IN_FORCE_OF[form.type])}
            onChange={(timeInForce) => setFields({ ...fields, timeInForce })}
          />
        )}
      </div>
      {isLive && (
        <SwitchField
          label={dialog.reduceOnly}
          checked={form.reduceOnly}
          onChange={(reduceOnly) => setFields({ ...fields, reduceOnly })}
        />
      )}
      {preview && <OrderPreview {...preview} tick={instrument?.tick_size} />}
      {unanswered !== undefined && failure === undefined && !busy && (
        <Notice tone="warn" title={unanswered} />
      )}
      {text !== undefined && <Notice tone="bad" title={text} isAlert />}
      <DialogActions>
        <Button kind="primary" type="submit" disabled={preview?.isIncomplete} busy={busy}>
          {dialog.submit}
        </Button>
        <Button disabled={busy} onClick={onClose}>
          {dialog.cancel}
        </Button>
      </DialogActions>
    </form>
  )
}

function optionsOf<Value extends string>(values: readonly Value[]) {
  return values.map((value) => ({ value, label: value }))
}

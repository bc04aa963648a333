import type { Position } from '@binnacle/contract'
import { type SubmitEvent, useState } from 'react'
import type { FormFailure } from '#form-failure.ts'
import { Button } from '#ui/control/button.tsx'
import { Dialog, DialogActions } from '#ui/control/dialog.tsx'
import { TextField } from '#ui/control/field.tsx'
import { Notice } from '#ui/state/notice.tsx'
import classes from './close-part-dialog.module.css'
import { ClosePositionDetails } from './close-position-details.tsx'
import { copy } from './copy.ts'

export interface ClosePartDialogProps {
  /** Undefined while the dialog is closed. */
  position: Position | undefined
  /** The instrument's lot, to which shares are rounded down. */
  lot: number | undefined
  busy: boolean
  failure: FormFailure | undefined
  onClose: () => void
  onSubmit: (quantity: number) => void
}

export function ClosePartDialog({ position, busy, onClose, ...rest }: ClosePartDialogProps) {
  return (
    <Dialog
      title={copy.part.title}
      size="small"
      opened={position !== undefined}
      busy={busy}
      onClose={onClose}
    >
      {position && <PartForm position={position} busy={busy} onClose={onClose} {...rest} />}
    </Dialog>
  )
}

const SHARES = [25, 50, 75] as const

type PartFormProps = ClosePartDialogProps & { position: Position }

function PartForm({ position, lot, busy, failure, onClose, onSubmit }: PartFormProps) {
  const [quantity, setQuantity] = useState(shareOf(position.quantity, 50, lot))
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    onSubmit(Number.parseFloat(quantity))
  }
  return (
    <form className={classes.form} noValidate onSubmit={submit}>
      <ClosePositionDetails position={position} />
      <TextField
        label={copy.part.quantity}
        data-autofocus
        type="number"
        step="any"
        error={failure?.fields.quantity}
        value={quantity}
        onChange={setQuantity}
      />
      <div className={classes.shares}>
        {SHARES.map((percent) => (
          <Button key={percent} onClick={() => setQuantity(shareOf(position.quantity, percent, lot))}>
            {copy.part.share(percent)}
          </Button>
        ))}
      </div>
      {failure?.text !== undefined && <Notice tone="bad" title={failure.text} isAlert />}
      <DialogActions>
        <Button kind="primary" type="submit" busy={busy}>
          {copy.part.submit}
        </Button>
        <Button disabled={busy} onClick={onClose}>
          {copy.part.cancel}
        </Button>
      </DialogActions>
    </form>
  )
}

/** A share of the quantity in whole lots, at least one. */
function shareOf(quantity: number, percent: number, lot: number | undefined): string {
  const share = (quantity * percent) / 100
  if (lot === undefined) return String(Number(share.toPrecision(6)))
  const lots = Math.max(1, Math.floor(share / lot + 1e-9))
  return String(Number((lots * lot).toFixed(12)))
}

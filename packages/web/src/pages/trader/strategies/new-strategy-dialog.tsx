import { type NewStrategy, STRATEGY_TYPES } from '@binnacle/contract'
import { type SubmitEvent, useState } from 'react'
import { Button } from '#ui/control/button.tsx'
import { Dialog, DialogActions } from '#ui/control/dialog.tsx'
import { SelectField, TextAreaField, TextField } from '#ui/control/field.tsx'
import { copy } from './copy.ts'
import classes from './new-strategy-dialog.module.css'

export interface NewStrategyDialogProps {
  opened: boolean
  busy: boolean
  onClose: () => void
  onSubmit: (strategy: NewStrategy) => void
}

export function NewStrategyDialog({ opened, busy, onClose, onSubmit }: NewStrategyDialogProps) {
  return (
    <Dialog title={copy.dialog.title} opened={opened} onClose={onClose}>
      <NewStrategyForm busy={busy} onClose={onClose} onSubmit={onSubmit} />
    </Dialog>
  )
}

const BLANK: NewStrategy = { name: '', type: 'momentum', description: '', config: {} }

const typeOptions = STRATEGY_TYPES.map((type) => ({ value: type, label: type }))

/** Lives only while the dialog is open, so each strategy starts from the defaults. */
function NewStrategyForm({ busy, onClose, onSubmit }: Omit<NewStrategyDialogProps, 'opened'>) {
  const [strategy, setStrategy] = useState(BLANK)
  const { dialog } = copy
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    onSubmit(strategy)
  }
  return (
    <form className={classes.form} noValidate onSubmit={submit}>
      <TextField
        label={dialog.name}
        data-autofocus
        value={strategy.name}
        onChange={(name) => setStrategy({ ...strategy, name })}
      />
      <SelectField
        label={dialog.type}
        value={strategy.type}
        options={typeOptions}
        onChange={(type) => setStrategy({ ...strategy, type })}
      />
      <TextAreaField
        label={dialog.description}
        value={strategy.description}
        onChange={(description) => setStrategy({ ...strategy, description })}
      />
      <DialogActions>
        <Button onClick={onClose}>{dialog.cancel}</Button>
        <Button kind="primary" type="submit" busy={busy} disabled={strategy.name === ''}>
          {dialog.submit}
        </Button>
      </DialogActions>
    </form>
  )
}

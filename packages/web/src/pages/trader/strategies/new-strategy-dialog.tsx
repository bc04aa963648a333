import { type Instrument, type NewStrategy, STRATEGY_TYPES, type StrategyType } from '@binnacle/contract'
import { type SubmitEvent, useState } from 'react'
import { configErrors, configOf, type ParameterTexts, textsOf } from '#data/parameter-texts.ts'
import type { FormFailure } from '#form-failure.ts'
import { Button } from '#ui/control/button.tsx'
import { Dialog, DialogActions } from '#ui/control/dialog.tsx'
import { SelectField, TextAreaField, TextField } from '#ui/control/field.tsx'
import { CollapsedParameterFields } from '#ui/control/parameter-fields.tsx'
import { Notice } from '#ui/state/notice.tsx'
import { copy } from './copy.ts'
import classes from './new-strategy-dialog.module.css'

export interface NewStrategyDialogProps {
  opened: boolean
  /** The strategy that is cloned; a blank form without. */
  initial?: NewStrategy | undefined
  busy: boolean
  /** Why the last try failed. */
  failure: FormFailure | undefined
  /** An earlier strategy got no answer. */
  isUnanswered: boolean
  /** Empty in the baseline. */
  types: readonly StrategyType[]
  instruments: readonly Instrument[]
  onClose: () => void
  onSubmit: (strategy: NewStrategy) => void
}

export function NewStrategyDialog({ opened, ...rest }: NewStrategyDialogProps) {
  return (
    <Dialog title={copy.dialog.title} opened={opened} busy={rest.busy} onClose={rest.onClose}>
      <NewStrategyForm {...rest} />
    </Dialog>
  )
}

const BLANK: NewStrategy = { name: '', type: 'momentum', description: '', config: {} }

const typeOptions = STRATEGY_TYPES.map((type) => ({ value: type, label: type }))

/** Mounted only while the dialog is open, so each strategy starts from the defaults. */
function NewStrategyForm(props: Omit<NewStrategyDialogProps, 'opened'>) {
  const { initial = BLANK, busy, failure, isUnanswered, types, instruments, onClose, onSubmit } = props
  const [strategy, setStrategy] = useState(initial)
  const type = types.find((known) => known.type === strategy.type)
  const [texts, setTexts] = useState<ParameterTexts>(type ? textsOf(type, initial.config) : {})
  const { dialog } = copy
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    onSubmit(type ? { ...strategy, config: configOf(type, { ...textsOf(type), ...texts }) } : strategy)
  }
  return (
    <form className={classes.form} noValidate onSubmit={submit}>
      <TextField
        label={dialog.name}
        data-autofocus
        error={failure?.fields.name}
        value={strategy.name}
        onChange={(name) => setStrategy({ ...strategy, name })}
      />
      <SelectField
        label={dialog.type}
        value={strategy.type}
        options={typeOptions}
        onChange={(chosen) => {
          setStrategy({ ...strategy, type: chosen })
          setTexts({})
        }}
      />
      <TextAreaField
        label={dialog.description}
        value={strategy.description}
        onChange={(description) => setStrategy({ ...strategy, description })}
      />
      {type && (
        <CollapsedParameterFields
          about={type.about}
          parameters={type.parameters}
          texts={{ ...textsOf(type), ...texts }}
          errors={configErrors(failure?.fields)}
          instruments={instruments}
          onChange={setTexts}
        />
      )}
      {isUnanswered && failure === undefined && !busy && <Notice tone="warn" title={dialog.unanswered} />}
      {failure?.text !== undefined && <Notice tone="bad" title={failure.text} isAlert />}
      <DialogActions>
        <Button kind="primary" type="submit" busy={busy} disabled={strategy.name === ''}>
          {dialog.submit}
        </Button>
        <Button disabled={busy} onClick={onClose}>
          {dialog.cancel}
        </Button>
      </DialogActions>
    </form>
  )
}

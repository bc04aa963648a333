import type { Config, Instrument, Strategy, StrategyType } from '@binnacle/contract'
import type { SubmitEvent } from 'react'
import { configErrors, configOf, textsOf } from '#data/parameter-texts.ts'
import type { FormFailure } from '#form-failure.ts'
import { Button } from '#ui/control/button.tsx'
import { Dialog, DialogActions } from '#ui/control/dialog.tsx'
import { ParameterFields } from '#ui/control/parameter-fields.tsx'
import { useDraft } from '#ui/control/use-draft.ts'
import { Notice } from '#ui/state/notice.tsx'
import { copy } from './copy.ts'
import classes from './new-strategy-dialog.module.css'

export interface SettingsDialogProps {
  /** The dialog is open if both are set. */
  strategy: Strategy | undefined
  type: StrategyType | undefined
  busy: boolean
  /** Why the last try failed. */
  failure: FormFailure | undefined
  instruments: readonly Instrument[]
  onClose: () => void
  onSubmit: (config: Config) => void
}

export function SettingsDialog({ strategy, type, ...rest }: SettingsDialogProps) {
  const isOpen = strategy !== undefined && type !== undefined
  return (
    <Dialog
      title={copy.settings.title(strategy?.name ?? '')}
      opened={isOpen}
      busy={rest.busy}
      onClose={rest.onClose}
    >
      {isOpen && <SettingsForm strategy={strategy} type={type} {...rest} />}
    </Dialog>
  )
}

interface SettingsFormProps extends Omit<SettingsDialogProps, 'strategy' | 'type'> {
  strategy: Strategy
  type: StrategyType
}

function SettingsForm(props: SettingsFormProps) {
  const { strategy, type, busy, failure, instruments, onClose, onSubmit } = props
  const draft = useDraft(textsOf(type, strategy.config))
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    onSubmit(configOf(type, draft.texts))
  }
  return (
    <form className={classes.form} noValidate onSubmit={submit}>
      <p className={classes.id}>{copy.settings.id(strategy.id)}</p>
      {strategy.status === 'running' && <p className={classes.id}>{copy.settings.nextBar}</p>}
      <ParameterFields
        about={type.about}
        parameters={type.parameters}
        texts={draft.texts}
        conflictNote={draft.conflictNote}
        errors={configErrors(failure?.fields)}
        instruments={instruments}
        onChange={draft.edit}
      />
      {failure?.text !== undefined && <Notice tone="bad" title={failure.text} isAlert />}
      <DialogActions>
        <Button kind="primary" type="submit" busy={busy}>
          {copy.settings.save}
        </Button>
        <Button disabled={busy} onClick={onClose}>
          {copy.dialog.cancel}
        </Button>
      </DialogActions>
    </form>
  )
}

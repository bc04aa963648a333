import type { Config, Instrument, Strategy, StrategyType } from '@binnacle/contract'
import type { SubmitEvent } from 'react'
import { Button } from '#ui/control/button.tsx'
import { Dialog, DialogActions } from '#ui/control/dialog.tsx'
import { useTypedOver } from '#ui/control/typed-over.ts'
import { copy } from './copy.ts'
import classes from './new-strategy-dialog.module.css'
import { configOf, textsOf } from './setting-texts.ts'
import { StrategySettings } from './strategy-settings.tsx'

export interface SettingsDialogProps {
  /** Whose settings are open, as last loaded, and of which kind it is; nothing is shown without both. */
  strategy: Strategy | undefined
  type: StrategyType | undefined
  busy: boolean
  instruments: readonly Instrument[]
  onClose: () => void
  onSubmit: (config: Config) => void
}

export function SettingsDialog({ strategy, type, ...rest }: SettingsDialogProps) {
  const isOpen = strategy !== undefined && type !== undefined
  return (
    <Dialog title={copy.settings.title(strategy?.name ?? '')} opened={isOpen} onClose={rest.onClose}>
      {isOpen && <SettingsForm strategy={strategy} type={type} {...rest} />}
    </Dialog>
  )
}

interface SettingsFormProps extends Omit<SettingsDialogProps, 'strategy' | 'type'> {
  strategy: Strategy
  type: StrategyType
}

function SettingsForm({ strategy, type, busy, instruments, onClose, onSubmit }: SettingsFormProps) {
  const typing = useTypedOver(textsOf(type, strategy.config))
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    onSubmit(configOf(type, typing.texts))
  }
  return (
    <form className={classes.form} noValidate onSubmit={submit}>
      <p className={classes.id}>{copy.settings.id(strategy.id)}</p>
      {strategy.status === 'running' && <p className={classes.id}>{copy.settings.nextBar}</p>}
      <StrategySettings
        type={type}
        texts={typing.texts}
        noteOn={typing.noteOn}
        instruments={instruments}
        onChange={typing.type}
      />
      <DialogActions>
        <Button onClick={onClose}>{copy.dialog.cancel}</Button>
        <Button kind="primary" type="submit" busy={busy}>
          {copy.settings.save}
        </Button>
      </DialogActions>
    </form>
  )
}

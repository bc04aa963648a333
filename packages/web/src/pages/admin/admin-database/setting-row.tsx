import type { Setting } from '@binnacle/contract'
import { type KeyboardEvent, type ReactNode, type SubmitEvent, useState } from 'react'
import { Button } from '#ui/control/button.tsx'
import { TextAreaField, TextField } from '#ui/control/field.tsx'
import { takeFocus } from '#ui/control/take-focus.ts'
import { copy } from './copy.ts'
import classes from './setting-row.module.css'

export interface SettingRowProps {
  setting: Setting
  /** Why the backend stores the value and does nothing with it; undefined if it acts on it. */
  noEffect: string | undefined
  isSaving: boolean
  /** A link to its audit records, where the backend has them. */
  records?: ReactNode
  /** `onStored` ends the edit mode. */
  onSave: (value: string, onStored: () => void) => void
}

type Mode = { name: 'view' } | { name: 'edit'; draft: string } | { name: 'back' }

export function SettingRow({ setting, noEffect, isSaving, records, onSave }: SettingRowProps) {
  const [mode, setMode] = useState<Mode>({ name: 'view' })
  const leave = () => setMode({ name: 'back' })
  return (
    <li className={classes.setting}>
      <div className={classes.about}>
        <span className={classes.key}>{setting.key}</span>
        {setting.description && <span className={classes.description}>{setting.description}</span>}
        {noEffect !== undefined && <span className={classes.noEffect}>{noEffect}</span>}
      </div>
      {mode.name === 'edit' ? (
        <ValueForm
          setting={setting}
          draft={mode.draft}
          isSaving={isSaving}
          onChange={(draft) => setMode({ name: 'edit', draft })}
          onSave={() => onSave(mode.draft, leave)}
          onCancel={leave}
        />
      ) : (
        <div className={classes.view}>
          <span className={setting.value === '' ? classes.none : classes.value}>
            {setting.value || copy.noValue}
          </span>
          <Button
            // Focus returns to the button that opened the form.
            ref={mode.name === 'back' ? takeFocus : undefined}
            onClick={() => setMode({ name: 'edit', draft: setting.value })}
          >
            {copy.edit}
          </Button>
          {records}
        </div>
      )}
    </li>
  )
}

interface ValueFormProps {
  setting: Setting
  draft: string
  isSaving: boolean
  onChange: (draft: string) => void
  onSave: () => void
  onCancel: () => void
}

function ValueForm({ setting, draft, isSaving, onChange, onSave, onCancel }: ValueFormProps) {
  const field = {
    label: copy.valueOf(setting.key),
    labelHidden: true,
    ref: takeFocus,
    value: draft,
    readOnly: isSaving,
    onChange,
  }
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    if (!isSaving) onSave()
  }
  const leaveOnEscape = (event: KeyboardEvent) => {
    if (event.key === 'Escape' && !isSaving) onCancel()
  }
  return (
    <form className={classes.edit} onSubmit={submit} onKeyDown={leaveOnEscape}>
      {/* A single-line field would drop line breaks. */}
      {setting.value.includes('\n') ? <TextAreaField {...field} /> : <TextField {...field} />}
      <Button type="submit" kind="primary" busy={isSaving}>
        {copy.save}
      </Button>
      <Button disabled={isSaving} onClick={onCancel}>
        {copy.cancel}
      </Button>
    </form>
  )
}

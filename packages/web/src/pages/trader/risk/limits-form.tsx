import type { SubmitEvent } from 'react'
import type { FormFailure } from '#form-failure.ts'
import { Button } from '#ui/control/button.tsx'
import { TextField } from '#ui/control/field.tsx'
import { Row } from '#ui/frame/grid.tsx'
import { Notice } from '#ui/state/notice.tsx'
import { copy } from './copy.ts'
import { LIMIT_NAMES, type LimitName, type LimitsDraft } from './limits.ts'
import classes from './limits-form.module.css'

export interface LimitsFormProps {
  draft: LimitsDraft
  busy: boolean
  failure: FormFailure | undefined
  /** Shown below a field that was changed meanwhile. */
  conflictNote: (name: LimitName) => string | undefined
  onChange: (draft: LimitsDraft) => void
  onSave: () => void
  onCancel: () => void
}

export function LimitsForm(props: LimitsFormProps) {
  const { draft, busy, failure, conflictNote, onChange, onSave, onCancel } = props
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    onSave()
  }
  return (
    <form noValidate onSubmit={submit}>
      <div className={classes.fields}>
        {LIMIT_NAMES.map((name) => (
          <TextField
            key={name}
            label={copy.limits.fields[name]}
            hint={conflictNote(name)}
            error={failure?.fields[name]}
            type="number"
            step={name === 'max_positions' ? '1' : 'any'}
            value={draft[name]}
            onChange={(typed) => onChange({ ...draft, [name]: typed })}
          />
        ))}
      </div>
      {failure?.text !== undefined && <Notice tone="bad" title={failure.text} isAlert />}
      <Row align="end">
        <Button kind="primary" type="submit" busy={busy}>
          {copy.limits.save}
        </Button>
        <Button disabled={busy} onClick={onCancel}>
          {copy.limits.cancel}
        </Button>
      </Row>
    </form>
  )
}

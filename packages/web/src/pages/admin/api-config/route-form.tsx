import { type SubmitEvent, useState } from 'react'
import { Button } from '#ui/control/button.tsx'
import { SelectField, TextField } from '#ui/control/field.tsx'
import { takeFocus } from '#ui/control/take-focus.ts'
import { copy } from './copy.ts'
import { isJson, methodsFor, type RouteDraft } from './route-draft.ts'
import classes from './route-form.module.css'

export interface RouteFormProps {
  label: string
  initial: RouteDraft
  submitLabel: string
  isBusy: boolean
  onSubmit: (draft: RouteDraft) => void
  onCancel: () => void
}

/** One form for a new route and for a row being edited. */
export function RouteForm({ label, initial, submitLabel, isBusy, onSubmit, onCancel }: RouteFormProps) {
  const [draft, setDraft] = useState(initial)
  const put = (part: Partial<RouteDraft>) => setDraft({ ...draft, ...part })
  const methods = methodsFor(initial.method).map((method) => ({ value: method, label: method }))
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    onSubmit(draft)
  }
  return (
    <form className={classes.form} aria-label={label} onSubmit={submit}>
      <SelectField
        label={copy.method}
        value={draft.method}
        options={methods}
        onChange={(method) => put({ method })}
      />
      <TextField
        label={copy.path}
        value={draft.path}
        placeholder="/api/…"
        spellCheck={false}
        ref={takeFocus}
        onChange={(path) => put({ path })}
      />
      <TextField
        label={copy.description}
        value={draft.description}
        onChange={(description) => put({ description })}
      />
      <TextField
        label={copy.parameters}
        value={draft.parameters}
        spellCheck={false}
        hint={isJson(draft.parameters) ? undefined : copy.notJson}
        onChange={(parameters) => put({ parameters })}
      />
      <div className={classes.actions}>
        <Button type="submit" kind="primary" busy={isBusy}>
          {submitLabel}
        </Button>
        <Button onClick={onCancel}>{copy.cancel}</Button>
      </div>
    </form>
  )
}

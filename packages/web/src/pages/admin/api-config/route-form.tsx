import { type SubmitEvent, useState } from 'react'
import { Button } from '#ui/control/button.tsx'
import { SelectField, TextField } from '#ui/control/field.tsx'
import { describeJsonError } from '#ui/control/json-error.ts'
import { takeFocus } from '#ui/control/take-focus.ts'
import { copy } from './copy.ts'
import { isJsonObject, methodsFor, type RouteDraft } from './route-draft.ts'
import classes from './route-form.module.css'

export interface RouteFormProps {
  label: string
  initial: RouteDraft
  /** Accepts only a JSON object as parameters (API-35). */
  isChecked: boolean
  submitLabel: string
  isBusy: boolean
  onSubmit: (draft: RouteDraft) => void
  onCancel: () => void
}

/** One form for a new route and for a row being edited. */
export function RouteForm(props: RouteFormProps) {
  const { label, initial, isChecked, submitLabel, isBusy, onSubmit, onCancel } = props
  const [draft, setDraft] = useState(initial)
  const update = (part: Partial<RouteDraft>) => setDraft({ ...draft, ...part })
  const methods = methodsFor(initial.method).map((method) => ({ value: method, label: method }))
  const [isRefused, setIsRefused] = useState(false)
  const jsonError = describeJsonError(draft.parameters)
  const parametersError =
    isChecked && !isJsonObject(draft.parameters) ? (jsonError ?? copy.notObject) : undefined
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    setIsRefused(parametersError !== undefined)
    if (parametersError === undefined) onSubmit(draft)
  }
  return (
    <form className={classes.form} aria-label={label} onSubmit={submit}>
      <SelectField
        label={copy.method}
        value={draft.method}
        options={methods}
        onChange={(method) => update({ method })}
      />
      <TextField
        label={copy.path}
        value={draft.path}
        placeholder="/api/…"
        spellCheck={false}
        ref={takeFocus}
        onChange={(path) => update({ path })}
      />
      <TextField
        label={copy.description}
        value={draft.description}
        onChange={(description) => update({ description })}
      />
      <TextField
        label={copy.parameters}
        value={draft.parameters}
        spellCheck={false}
        hint={jsonError && (isChecked ? jsonError : copy.notJson(jsonError))}
        error={isRefused ? parametersError : undefined}
        onChange={(parameters) => update({ parameters })}
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

import { type ComponentProps, type FocusEvent, type ReactNode, useId } from 'react'
import classes from './field.module.css'

interface Labelled {
  label: string
  hint?: ReactNode
  /** Hides the label from sight where a table head or a title already says it. */
  labelHidden?: boolean
}

type Native<Tag extends 'input' | 'select' | 'textarea'> = Omit<
  ComponentProps<Tag>,
  'className' | 'onChange' | 'value' | 'id'
>

export interface Suggestion {
  value: string
  /** What stands beside it in the list. */
  note: string
}

export interface TextFieldProps extends Labelled, Native<'input'> {
  value: string
  onChange: (value: string) => void
  /** Offered while one types; anything else may be typed all the same. */
  suggestions?: readonly Suggestion[]
}

/** One line of text, or with type="number" a number as the person typed it: the caller reads it. */
export function TextField(props: TextFieldProps) {
  const { label, hint, labelHidden, onChange, suggestions = NO_SUGGESTIONS, ...rest } = props
  const id = useId()
  const offered = suggestions.length > 0 && { list: `${id}-offered`, onFocus: selectAll }
  return (
    <FieldFrame id={id} label={label} hint={hint} labelHidden={labelHidden}>
      <input
        {...rest}
        {...offered}
        id={id}
        className={classes.control}
        onChange={(event) => onChange(event.target.value)}
      />
      {offered && (
        <datalist id={offered.list}>
          {suggestions.map(({ value, note }) => (
            <option key={value} value={value} label={note} />
          ))}
        </datalist>
      )}
    </FieldFrame>
  )
}

const NO_SUGGESTIONS: readonly Suggestion[] = []

/** A browser offers only what fits the text, so the first key must replace what stands there. */
function selectAll({ target }: FocusEvent<HTMLInputElement>): void {
  target.select()
}

export interface TextAreaFieldProps extends Labelled, Native<'textarea'> {
  value: string
  onChange: (value: string) => void
}

export function TextAreaField({ label, hint, labelHidden, onChange, ...rest }: TextAreaFieldProps) {
  const id = useId()
  return (
    <FieldFrame id={id} label={label} hint={hint} labelHidden={labelHidden}>
      <textarea
        rows={3}
        {...rest}
        id={id}
        className={classes.control}
        onChange={(event) => onChange(event.target.value)}
      />
    </FieldFrame>
  )
}

export interface SelectFieldProps<Value extends string> extends Labelled {
  value: Value
  options: readonly { value: Value; label: string }[]
  onChange: (value: Value) => void
}

export function SelectField<Value extends string>(props: SelectFieldProps<Value>) {
  const { label, hint, labelHidden, value, options, onChange } = props
  const id = useId()
  const choose = (chosen: string) => {
    const option = options.find((candidate) => candidate.value === chosen)
    if (option) onChange(option.value)
  }
  return (
    <FieldFrame id={id} label={label} hint={hint} labelHidden={labelHidden}>
      <select
        id={id}
        className={classes.control}
        value={value}
        onChange={(event) => choose(event.target.value)}
      >
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.label}
          </option>
        ))}
      </select>
    </FieldFrame>
  )
}

export interface SwitchFieldProps {
  label: string
  checked: boolean
  onChange: (checked: boolean) => void
}

export function SwitchField({ label, checked, onChange }: SwitchFieldProps) {
  return (
    <label className={classes.switch}>
      <input
        type="checkbox"
        role="switch"
        aria-checked={checked}
        checked={checked}
        onChange={(event) => onChange(event.target.checked)}
      />
      {label}
    </label>
  )
}

interface FieldFrameProps {
  id: string
  label: string
  hint: ReactNode
  labelHidden: boolean | undefined
  children: ReactNode
}

function FieldFrame({ id, label, hint, labelHidden = false, children }: FieldFrameProps) {
  return (
    <div className={classes.field}>
      <label htmlFor={id} className={labelHidden ? classes.hidden : classes.label}>
        {label}
      </label>
      {children}
      {hint !== undefined && <p className={classes.hint}>{hint}</p>}
    </div>
  )
}

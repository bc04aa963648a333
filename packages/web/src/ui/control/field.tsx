import { type ComponentProps, type FocusEvent, type ReactNode, useId, useRef } from 'react'
import classes from './field.module.css'

interface LabelProps {
  label: string
  /** In grey beside the label; not part of the field's name. */
  labelNote?: string | undefined
  hint?: ReactNode
  /** Visually hidden where a table head or a title already shows it. */
  labelHidden?: boolean
}

type Native<Tag extends 'input' | 'select' | 'textarea'> = Omit<
  ComponentProps<Tag>,
  'className' | 'onChange' | 'value' | 'id'
>

export interface Suggestion {
  value: string
  /** Shown beside the value in the list. */
  note: string
}

export interface TextFieldProps extends LabelProps, Native<'input'> {
  value: string
  /** Why the value was refused; shown in place of the hint. */
  error?: string | undefined
  onChange: (value: string) => void
  /** Offered while typing; other values can still be typed. */
  suggestions?: readonly Suggestion[]
}

/** One line of text. With type="number" the value is still the typed text. */
export function TextField(props: TextFieldProps) {
  const {
    label,
    labelNote,
    hint,
    error,
    labelHidden,
    onChange,
    suggestions = NO_SUGGESTIONS,
    ...rest
  } = props
  const id = useId()
  const offered = suggestions.length > 0 && { list: `${id}-offered`, onFocus: selectAll }
  const selectByKeyboard = useSelectByKeyboard()
  return (
    <FieldFrame
      id={id}
      label={label}
      labelNote={labelNote}
      hint={hint}
      error={error}
      labelHidden={labelHidden}
    >
      <input
        {...rest}
        {...(rest.type === 'number' && selectByKeyboard)}
        {...offered}
        {...(error !== undefined && { 'aria-invalid': true, 'aria-describedby': errorId(id) })}
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

/** Browsers offer only suggestions that match the text, so the first key must replace it. */
function selectAll({ target }: FocusEvent<HTMLInputElement>): void {
  target.select()
}

/** SHELL-51: a key added to a default would make another number. A click puts the caret where it points. */
function useSelectByKeyboard() {
  const isPressed = useRef(false)
  return {
    onMouseDown: () => {
      isPressed.current = true
    },
    onFocus: (event: FocusEvent<HTMLInputElement>) => {
      if (!isPressed.current) selectAll(event)
    },
    onBlur: () => {
      isPressed.current = false
    },
  }
}

export interface TextAreaFieldProps extends LabelProps, Native<'textarea'> {
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

export interface SelectFieldProps<Value extends string> extends LabelProps {
  value: Value
  /** Why the value was refused; shown in place of the hint. */
  error?: string | undefined
  options: readonly { value: Value; label: string }[]
  onChange: (value: Value) => void
}

export function SelectField<Value extends string>(props: SelectFieldProps<Value>) {
  const { label, labelNote, hint, error, labelHidden, value, options, onChange } = props
  const id = useId()
  const choose = (chosen: string) => {
    const option = options.find((candidate) => candidate.value === chosen)
    if (option) onChange(option.value)
  }
  return (
    <FieldFrame
      id={id}
      label={label}
      labelNote={labelNote}
      hint={hint}
      error={error}
      labelHidden={labelHidden}
    >
      <select
        {...(error !== undefined && { 'aria-invalid': true, 'aria-describedby': errorId(id) })}
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
  /** Visually hidden where the row already shows it. */
  labelHidden?: boolean
  checked: boolean
  onChange: (checked: boolean) => void
}

export function SwitchField({ label, labelHidden = false, checked, onChange }: SwitchFieldProps) {
  return (
    <label className={classes.switch}>
      <input
        type="checkbox"
        role="switch"
        aria-checked={checked}
        checked={checked}
        onChange={(event) => onChange(event.target.checked)}
      />
      {labelHidden ? <span className={classes.hidden}>{label}</span> : label}
    </label>
  )
}

interface FieldFrameProps {
  id: string
  label: string
  labelNote?: string | undefined
  hint: ReactNode
  error?: string | undefined
  labelHidden: boolean | undefined
  children: ReactNode
}

function errorId(id: string): string {
  return `${id}-error`
}

function FieldFrame(props: FieldFrameProps) {
  const { id, label, labelNote, hint, error, labelHidden = false, children } = props
  return (
    <div className={classes.field}>
      <div className={labelHidden ? classes.hidden : classes.label}>
        <label htmlFor={id}>{label}</label>
        {labelNote !== undefined && <span className={classes.labelNote}>{labelNote}</span>}
      </div>
      {children}
      {error !== undefined && (
        <p id={errorId(id)} className={classes.error} role="alert">
          {error}
        </p>
      )}
      {error === undefined && hint !== undefined && <p className={classes.hint}>{hint}</p>}
    </div>
  )
}

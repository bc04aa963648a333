import { type ComponentProps, type ReactNode, useId } from 'react'
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

export interface TextFieldProps extends Labelled, Native<'input'> {
  value: string
  onChange: (value: string) => void
}

/** One line of text, or with type="number" a number as the person typed it: the caller reads it. */
export function TextField({ label, hint, labelHidden, onChange, ...rest }: TextFieldProps) {
  const id = useId()
  return (
    <FieldFrame id={id} label={label} hint={hint} labelHidden={labelHidden}>
      <input
        {...rest}
        id={id}
        className={classes.control}
        onChange={(event) => onChange(event.target.value)}
      />
    </FieldFrame>
  )
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

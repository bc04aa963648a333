import {
  type ComponentProps,
  type FocusEvent,
  type ReactNode,
  useEffect,
  useEffectEvent,
  useId,
  useRef,
  useState,
} from 'react'
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

/** One line of text. With type="number" the value is still the typed text, or `UNREADABLE`. */
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
  const isNumber = rest.type === 'number'
  const selectByKeyboard = useSelectByKeyboard()
  const { input, note, noteTyped } = useDecimalComma(isNumber, onChange)
  return (
    <FieldFrame
      id={id}
      label={label}
      labelNote={labelNote}
      hint={note ?? hint}
      error={error}
      labelHidden={labelHidden}
    >
      <input
        {...rest}
        {...(isNumber && { ...selectByKeyboard, ref: input })}
        {...offered}
        {...descriptionOf(id, error, note ?? hint)}
        id={id}
        className={classes.control}
        // The browser has no value for text that is no number; setting an empty one leaves the text.
        value={rest.value === UNREADABLE ? '' : rest.value}
        onChange={({ target }) => {
          noteTyped(target)
          onChange(isNumber && target.validity.badInput ? UNREADABLE : target.value)
        }}
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

/** The value of a number field whose text is no number, and which is not empty: '148-', '1e400'. */
const UNREADABLE = 'NaN'

const COMMA_READ = 'The comma was read as a decimal point.'
const COMMA_REFUSED = 'Write the number with a decimal point and without separators: 9500.5.'

/**
 * SHELL-70: a number field drops a comma without a word, so that '0,5' becomes 05. A comma is read as the decimal
 * point; text with a comma and a point, or with two commas, is refused. SHELL-114: so is '15,000', when the field is
 * left, since it may mean either.
 */
function useDecimalComma(isNumber: boolean, onChange: (value: string) => void) {
  const input = useRef<HTMLInputElement>(null)
  const hasComma = useRef(false)
  const change = useEffectEvent(onChange)
  const [note, setNote] = useState<string>()
  useEffect(() => {
    const element = input.current
    if (!isNumber || element === null) return
    const read = (event: InputEvent) => {
      const { data } = event
      if (data === null || !data.includes(',')) return
      event.preventDefault()
      const isOnlyMark = data.length === 1 && !element.value.includes('.')
      if (!isOnlyMark && !ONE_COMMA.test(data)) return setNote(COMMA_REFUSED)
      hasComma.current = true
      setNote(COMMA_READ)
      // The one way to type into a field at the caret that keeps the browser's undo.
      document.execCommand('insertText', false, data.trim().replace(',', '.'))
    }
    const refuse = () => {
      if (!hasComma.current || !LIKE_THOUSANDS.test(element.value)) return
      hasComma.current = false
      setNote(`${element.value.replace('.', ',')} can be read in two ways. ${COMMA_REFUSED}`)
      change('')
    }
    const refuseOnEnter = ({ key }: KeyboardEvent) => key === 'Enter' && refuse()
    element.addEventListener('beforeinput', read)
    element.addEventListener('blur', refuse)
    element.addEventListener('keydown', refuseOnEnter)
    return () => {
      element.removeEventListener('beforeinput', read)
      element.removeEventListener('blur', refuse)
      element.removeEventListener('keydown', refuseOnEnter)
    }
  }, [isNumber])
  /** The note stays when the field is left: a button below it would move away from under the pointer. */
  const noteTyped = (element: HTMLInputElement) => {
    if (element.value === '' && !element.validity.badInput) hasComma.current = false
    if (!hasComma.current) setNote(undefined)
  }
  return { input, note, noteTyped }
}

/** A pasted number with a decimal comma. */
const ONE_COMMA = /^\s*[-+]?\d*,\d+\s*$/
/** After its comma was replaced: 15,000 or 1,234, but not 0,005. */
const LIKE_THOUSANDS = /^-?[1-9]\d{0,2}\.\d{3}$/

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
        {...descriptionOf(id, undefined, hint)}
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
  /** While a choice would be ignored. */
  disabled?: boolean
  onChange: (value: Value) => void
}

export function SelectField<Value extends string>(props: SelectFieldProps<Value>) {
  const { label, labelNote, hint, error, labelHidden, value, options, disabled, onChange } = props
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
        {...descriptionOf(id, error, hint)}
        id={id}
        className={classes.control}
        value={value}
        disabled={disabled}
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

/** SHELL-400: what is read aloud with the field: why it was refused, or its hint. */
function descriptionOf(id: string, error: string | undefined, hint: ReactNode) {
  if (error !== undefined) return { 'aria-invalid': true, 'aria-describedby': errorId(id) }
  return hint !== undefined && { 'aria-describedby': hintId(id) }
}

function errorId(id: string): string {
  return `${id}-error`
}

function hintId(id: string): string {
  return `${id}-hint`
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
      {error === undefined && hint !== undefined && (
        <p id={hintId(id)} className={classes.hint}>
          {hint}
        </p>
      )}
    </div>
  )
}

import { useId } from 'react'
import classes from './segments.module.css'

export interface SegmentsProps<Value extends string> {
  label: string
  labelHidden?: boolean
  value: Value
  options: readonly { value: Value; label: string; tone?: 'up' | 'down' }[]
  onChange: (value: Value) => void
  /** Over the whole width of the form. */
  isWide?: boolean
}

/** A few choices side by side; real radio buttons, so that arrow keys move between them. */
export function Segments<Value extends string>(props: SegmentsProps<Value>) {
  const { label, labelHidden, value, options, onChange, isWide } = props
  const name = useId()
  return (
    <fieldset className={classes.segments} data-wide={isWide || undefined}>
      <legend className={labelHidden ? classes.hidden : undefined}>{label}</legend>
      <div>
        {options.map((option) => (
          <label key={option.value} data-tone={option.tone}>
            <input
              type="radio"
              name={name}
              value={option.value}
              checked={option.value === value}
              onChange={() => onChange(option.value)}
            />
            {option.label}
          </label>
        ))}
      </div>
    </fieldset>
  )
}

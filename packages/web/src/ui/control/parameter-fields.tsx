import { formatQuantity } from '#format/money.ts'
import { formatVenue } from '#format/venue.ts'
import { SelectField, TextField } from './field.tsx'
import classes from './parameter-fields.module.css'

/** A parameter of a strategy type. */
export interface Parameter {
  name: string
  label?: string | undefined
  kind: string
  sentence: string
  min?: number | undefined
  max?: number | undefined
  choices?: readonly string[] | undefined
  /** Values of an interval or an instrument. */
  allowed?: readonly string[] | undefined
}

interface SuggestedInstrument {
  id: string
  venue?: string | undefined
  kind?: string | undefined
}

export interface ParameterFieldsProps {
  about?: string
  parameters: readonly Parameter[]
  /** As typed, by name. */
  texts: Readonly<Record<string, string>>
  /** Shown below a field that was changed meanwhile. */
  conflictNote?: (name: string) => string | undefined
  /** Why fields were refused, by name. */
  errors: Readonly<Record<string, string>>
  /** Suggested in fields of the kind 'instrument'. */
  instruments: readonly SuggestedInstrument[]
  onChange: (texts: Readonly<Record<string, string>>) => void
}

/** A field for each parameter of a strategy type. */
export function ParameterFields({
  about,
  parameters,
  texts,
  conflictNote,
  errors,
  instruments,
  onChange,
}: ParameterFieldsProps) {
  return (
    <>
      {about !== undefined && <p className={classes.about}>{about}</p>}
      <div className={classes.fields}>
        {parameters.map((parameter) => (
          <ParameterField
            key={parameter.name}
            parameter={parameter}
            value={texts[parameter.name] ?? ''}
            note={conflictNote?.(parameter.name)}
            error={errors[parameter.name]}
            instruments={instruments}
            onChange={(text) => onChange({ ...texts, [parameter.name]: text })}
          />
        ))}
      </div>
    </>
  )
}

/** Collapsed, for a form in which the defaults usually do. */
export function CollapsedParameterFields(props: ParameterFieldsProps) {
  const isRefused = props.parameters.some(({ name }) => props.errors[name] !== undefined)
  return (
    <details className={classes.parameters} {...(isRefused && { open: true })}>
      <summary>{`Parameters (${props.parameters.length}, defaults filled in)`}</summary>
      <ParameterFields {...props} />
    </details>
  )
}

interface ParameterFieldProps {
  parameter: Parameter
  value: string
  note: string | undefined
  error: string | undefined
  instruments: readonly SuggestedInstrument[]
  onChange: (text: string) => void
}

function ParameterField({ parameter, value, note, error, instruments, onChange }: ParameterFieldProps) {
  const { name, label = name, kind, choices = allowedChoices(parameter) } = parameter
  const about = parameterHint(parameter)
  const shown = {
    label,
    // STRAT-50: messages and the API name the parameter by its key.
    labelNote: isSameWords(label, name) ? undefined : name,
    hint: note === undefined ? about : `${note}. ${about}`,
    value,
    onChange,
  }
  if (choices !== undefined) {
    const notes = new Map(instruments.map((known) => [known.id, formatVenue(known)]))
    const offered = choices.includes(value) ? choices : [value, ...choices]
    const options = offered.map((choice) => ({ value: choice, label: withNote(choice, notes.get(choice)) }))
    return <SelectField {...shown} error={error} options={options} />
  }
  if (kind === 'instrument') {
    const suggestions = instruments.map((known) => ({ value: known.id, note: formatVenue(known) }))
    return <TextField {...shown} error={error} suggestions={suggestions} />
  }
  const isNumber = kind === 'number' || kind === 'integer'
  return <TextField {...shown} error={error} inputMode={isNumber ? 'decimal' : 'text'} />
}

/** A label such as 'Fast bars' says its key `fast_bars` already. */
function isSameWords(label: string, name: string): boolean {
  return label.toLowerCase().replaceAll(' ', '_') === name
}

/** STRAT-51: of an instrument or an interval; several instruments are typed. */
function allowedChoices({ kind, allowed }: Parameter): readonly string[] | undefined {
  return kind === 'instruments' ? undefined : allowed
}

function withNote(choice: string, note: string | undefined): string {
  return note ? `${choice} (${note})` : choice
}

function parameterHint({ sentence, kind, min, max }: Parameter): string {
  if (min === undefined || max === undefined || kind === 'instruments') return sentence
  return `${sentence} (${formatQuantity(min)} to ${formatQuantity(max)})`
}

import { formatQuantity } from '#format/money.ts'
import { formatVenue } from '#format/venue.ts'
import { SelectField, TextField } from './field.tsx'
import classes from './setting-fields.module.css'

/** A parameter of a strategy type. */
export interface Setting {
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

export interface SettingFieldsProps {
  about?: string
  settings: readonly Setting[]
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
export function SettingFields({
  about,
  settings,
  texts,
  conflictNote,
  errors,
  instruments,
  onChange,
}: SettingFieldsProps) {
  return (
    <>
      {about !== undefined && <p className={classes.about}>{about}</p>}
      <div className={classes.fields}>
        {settings.map((setting) => (
          <SettingField
            key={setting.name}
            setting={setting}
            value={texts[setting.name] ?? ''}
            note={conflictNote?.(setting.name)}
            error={errors[setting.name]}
            instruments={instruments}
            onChange={(text) => onChange({ ...texts, [setting.name]: text })}
          />
        ))}
      </div>
    </>
  )
}

/** Collapsed, for a form in which the defaults usually do. */
export function FoldedSettings(props: SettingFieldsProps) {
  const isRefused = props.settings.some(({ name }) => props.errors[name] !== undefined)
  return (
    <details className={classes.settings} {...(isRefused && { open: true })}>
      <summary>{`Parameters (${props.settings.length}, defaults filled in)`}</summary>
      <SettingFields {...props} />
    </details>
  )
}

interface SettingFieldProps {
  setting: Setting
  value: string
  note: string | undefined
  error: string | undefined
  instruments: readonly SuggestedInstrument[]
  onChange: (text: string) => void
}

function SettingField({ setting, value, note, error, instruments, onChange }: SettingFieldProps) {
  const { name, label = name, kind, choices = allowedChoices(setting) } = setting
  const about = settingHint(setting)
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
function allowedChoices({ kind, allowed }: Setting): readonly string[] | undefined {
  return kind === 'instruments' ? undefined : allowed
}

function withNote(choice: string, note: string | undefined): string {
  return note ? `${choice} (${note})` : choice
}

function settingHint({ sentence, kind, min, max }: Setting): string {
  if (min === undefined || max === undefined || kind === 'instruments') return sentence
  return `${sentence} (${formatQuantity(min)} to ${formatQuantity(max)})`
}

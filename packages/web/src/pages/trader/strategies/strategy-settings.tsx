import type { Instrument, StrategyParameter, StrategyType } from '@binnacle/contract'
import { formatQuantity } from '#format/money.ts'
import { formatVenue } from '#format/venue.ts'
import type { FormFailure } from '#state/command-failures.ts'
import { SelectField, TextField } from '#ui/control/field.tsx'
import { copy } from './copy.ts'
import { configField, type SettingTexts } from './setting-texts.ts'
import classes from './strategy-settings.module.css'

export interface StrategySettingsProps {
  type: StrategyType
  texts: SettingTexts
  /** Shown below a field that was changed meanwhile. */
  conflictNote?: (name: string) => string | undefined
  /** Why fields were refused, by their names in the request. */
  errors: FormFailure['fields'] | undefined
  /** Suggested in fields of the kind 'instrument'. */
  instruments: readonly Instrument[]
  onChange: (texts: SettingTexts) => void
}

/** A field for each parameter of a strategy type. */
export function StrategySettings({
  type,
  texts,
  conflictNote,
  errors,
  instruments,
  onChange,
}: StrategySettingsProps) {
  return (
    <>
      <p className={classes.about}>{type.about}</p>
      <div className={classes.fields}>
        {type.parameters.map((parameter) => (
          <SettingField
            key={parameter.name}
            parameter={parameter}
            value={texts[parameter.name] ?? ''}
            note={conflictNote?.(parameter.name)}
            error={errors?.[configField(parameter.name)]}
            instruments={instruments}
            onChange={(text) => onChange({ ...texts, [parameter.name]: text })}
          />
        ))}
      </div>
    </>
  )
}

/** Collapsed, for a form in which the defaults usually do. */
export function FoldedSettings(props: StrategySettingsProps) {
  const isRefused = Object.keys(props.errors ?? {}).some((field) => field.startsWith(configField('')))
  return (
    <details className={classes.settings} {...(isRefused && { open: true })}>
      <summary>{copy.settings.summary(props.type.parameters.length)}</summary>
      <StrategySettings {...props} />
    </details>
  )
}

interface SettingFieldProps {
  parameter: StrategyParameter
  value: string
  note: string | undefined
  error: string | undefined
  instruments: readonly Instrument[]
  onChange: (text: string) => void
}

function SettingField({ parameter, value, note, error, instruments, onChange }: SettingFieldProps) {
  const { name, label = name, kind, choices = allowedChoices(parameter) } = parameter
  const about = parameterHint(parameter)
  const shown = {
    label,
    // STRAT-50: messages and the API name the parameter by its key.
    labelNote: label === name ? undefined : name,
    hint: note === undefined ? about : copy.settings.noted(note, about),
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

/** STRAT-51: of an instrument or an interval; several instruments are typed. */
function allowedChoices({ kind, allowed }: StrategyParameter): readonly string[] | undefined {
  return kind === 'instruments' ? undefined : allowed
}

function withNote(choice: string, note: string | undefined): string {
  return note ? `${choice} (${note})` : choice
}

function parameterHint({ sentence, kind, min, max }: StrategyParameter): string {
  if (min === undefined || max === undefined || kind === 'instruments') return sentence
  return copy.settings.bounded(sentence, formatQuantity(min), formatQuantity(max))
}

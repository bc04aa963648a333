import type { StrategyParameter, StrategyType } from '@binnacle/contract'
import { SelectField, TextField } from '#ui/control/field.tsx'
import { copy } from './copy.ts'
import type { SettingTexts } from './setting-texts.ts'
import classes from './strategy-settings.module.css'

export interface StrategySettingsProps {
  type: StrategyType
  texts: SettingTexts
  onChange: (texts: SettingTexts) => void
  /** Shows the fields at once instead of on request. */
  opened?: boolean
}

/** A field for every setting of a kind, with what it means. */
export function StrategySettings({ type, texts, onChange, opened = false }: StrategySettingsProps) {
  return (
    <details className={classes.settings} open={opened}>
      <summary>{copy.settings.summary(type.parameters.length)}</summary>
      <p className={classes.about}>{type.about}</p>
      <div className={classes.fields}>
        {type.parameters.map((parameter) => (
          <SettingField
            key={parameter.name}
            parameter={parameter}
            value={texts[parameter.name] ?? ''}
            onChange={(text) => onChange({ ...texts, [parameter.name]: text })}
          />
        ))}
      </div>
    </details>
  )
}

interface SettingFieldProps {
  parameter: StrategyParameter
  value: string
  onChange: (text: string) => void
}

function SettingField({ parameter, value, onChange }: SettingFieldProps) {
  const { name, kind, choices } = parameter
  const shown = { label: name, hint: hintOn(parameter), value, onChange }
  if (choices !== undefined) {
    return <SelectField {...shown} options={choices.map((choice) => ({ value: choice, label: choice }))} />
  }
  const isNumber = kind === 'number' || kind === 'integer'
  return <TextField {...shown} inputMode={isNumber ? 'decimal' : 'text'} />
}

function hintOn({ sentence, kind, min, max }: StrategyParameter): string {
  if (min === undefined || max === undefined || kind === 'instruments') return sentence
  return copy.settings.bounded(sentence, min, max)
}

import { IconX } from '@tabler/icons-react'
import { useState } from 'react'
import { titleOf } from '#ui/chart/indicator-title.ts'
import {
  type ChosenIndicator,
  INDICATORS,
  type IndicatorName,
  type IndicatorSetting,
} from '#ui/chart/indicators.ts'
import { Button } from '#ui/control/button.tsx'
import { Dialog, DialogActions } from '#ui/control/dialog.tsx'
import { TextField } from '#ui/control/field.tsx'
import { copy } from './copy.ts'
import classes from './indicators-dialog.module.css'

export interface IndicatorsDialogProps {
  opened: boolean
  chosen: readonly ChosenIndicator[]
  onChange: (chosen: readonly ChosenIndicator[]) => void
  onClose: () => void
}

// The keys of INDICATORS are the names.
const NAMES = Object.keys(INDICATORS) as IndicatorName[]

/** MKT-39: changes are drawn at once and remembered. */
export function IndicatorsDialog({ opened, chosen, onChange, onClose }: IndicatorsDialogProps) {
  const { indicators } = copy
  const set = (index: number, setting: number, value: number) =>
    onChange(
      chosen.map((indicator, at) =>
        at === index ? { ...indicator, settings: indicator.settings.with(setting, value) } : indicator,
      ),
    )
  const add = (name: IndicatorName) =>
    onChange([...chosen, { name, settings: INDICATORS[name].settings.map(({ initial }) => initial) }])
  return (
    <Dialog title={indicators.title} opened={opened} onClose={onClose}>
      <ul className={classes.list}>
        {keyed(chosen).map(({ key, indicator, index }) => (
          <li key={key}>
            <b>{INDICATORS[indicator.name].title}</b>
            {INDICATORS[indicator.name].settings.map((setting, at) => (
              <SettingField
                key={setting.label}
                setting={setting}
                value={indicator.settings[at] ?? setting.initial}
                onChange={(value) => set(index, at, value)}
              />
            ))}
            <Button
              kind="quiet"
              aria-label={indicators.remove(titleOf(indicator))}
              onClick={() => onChange(chosen.toSpliced(index, 1))}
            >
              <IconX size={16} aria-hidden />
            </Button>
          </li>
        ))}
      </ul>
      {chosen.length === 0 && <p>{indicators.none}</p>}
      <fieldset className={classes.add}>
        <legend>{indicators.addLabel}</legend>
        {NAMES.map((name) => (
          <Button key={name} onClick={() => add(name)}>
            {INDICATORS[name].title}
          </Button>
        ))}
      </fieldset>
      <DialogActions>
        <Button kind="primary" onClick={onClose}>
          {indicators.done}
        </Button>
      </DialogActions>
    </Dialog>
  )
}

interface SettingFieldProps {
  setting: IndicatorSetting
  value: number
  onChange: (value: number) => void
}

/** Takes over what is typed as soon as it is within the bounds. */
function SettingField({ setting: { label, min, max, step }, value, onChange }: SettingFieldProps) {
  const [text, setText] = useState(String(value))
  const isValid = (typed: number) => typed >= min && typed <= max
  return (
    <TextField
      label={label}
      type="number"
      min={min}
      max={max}
      step={step}
      error={isValid(Number.parseFloat(text)) ? undefined : copy.indicators.bounds(min, max)}
      value={text}
      onChange={(typed) => {
        setText(typed)
        const number = Number.parseFloat(typed)
        if (isValid(number)) onChange(number)
      }}
    />
  )
}

/** Two of a kind differ by their settings, which change while they are typed; so they are counted. */
function keyed(chosen: readonly ChosenIndicator[]) {
  const counts = new Map<string, number>()
  return chosen.map((indicator, index) => {
    const count = (counts.get(indicator.name) ?? 0) + 1
    counts.set(indicator.name, count)
    return { key: `${indicator.name} ${count}`, indicator, index }
  })
}

import { type StrategyType, SWEEP_MEASURES } from '@binnacle/contract'
import { Button } from '#ui/control/button.tsx'
import { SelectField, TextField } from '#ui/control/field.tsx'
import { Notice } from '#ui/state/notice.tsx'
import { copy } from './copy.ts'
import type { FieldErrors, RunTexts } from './run-form.ts'
import classes from './run-form-panel.module.css'
import { countRuns, isMeasure, type SweepTexts, sweptParameters } from './sweep-form.ts'

export interface SweepFieldsProps {
  type: StrategyType
  texts: RunTexts
  sweep: SweepTexts
  errors: FieldErrors
  busy: boolean
  on: { change: (sweep: SweepTexts) => void; submit: () => void }
}

/** BT-37: values for some parameters make a sweep of the run above. */
export function SweepFields({ type, texts, sweep, errors, busy, on }: SweepFieldsProps) {
  const { sweepForm: words } = copy
  const swept = sweptParameters(type, texts)
  const change = (part: Partial<SweepTexts>) => on.change({ ...sweep, ...part })
  const count = countRuns(sweep)
  const isRefused = Object.keys(errors).length > 0
  return (
    <details className={classes.more} {...(isRefused && { open: true })}>
      <summary>{words.title}</summary>
      <div className={classes.form}>
        <p className={classes.hint}>{words.hint}</p>
        {swept.map(({ name, label }) => (
          <TextField
            key={name}
            label={words.values(label)}
            placeholder={words.placeholder}
            value={sweep.ranges[name] ?? ''}
            error={errors[`parameters.${name}`]}
            onChange={(text) => change({ ranges: { ...sweep.ranges, [name]: text } })}
          />
        ))}
        <div className={classes.pair}>
          <SelectField
            label={words.measure}
            value={sweep.measure}
            options={SWEEP_MEASURES.map((value) => ({ value, label: words.measures[value] }))}
            onChange={(value) => isMeasure(value) && change({ measure: value })}
          />
          <TextField
            label={words.randomSets}
            inputMode="numeric"
            placeholder={words.allSets}
            value={sweep.randomSets}
            error={errors.random_sets}
            onChange={(randomSets) => change({ randomSets })}
          />
          <TextField
            label={words.patience}
            inputMode="numeric"
            value={sweep.patience}
            error={errors.patience}
            onChange={(patience) => change({ patience })}
          />
          <TextField
            label={words.windows}
            inputMode="numeric"
            value={sweep.windows}
            error={errors.windows}
            onChange={(windows) => change({ windows })}
          />
        </div>
        {errors.parameters !== undefined && <Notice tone="bad" title={errors.parameters} isAlert />}
        <Button busy={busy} onClick={on.submit}>
          {count === undefined ? words.run : words.runCount(count)}
        </Button>
      </div>
    </details>
  )
}

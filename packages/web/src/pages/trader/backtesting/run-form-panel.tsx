import {
  BAR_INTERVALS,
  type DataSet,
  type Instrument,
  type RecordedPeriod,
  type StrategyType,
} from '@binnacle/contract'
import type { SubmitEvent } from 'react'
import { configErrors } from '#data/parameter-texts.ts'
import type { FormFailure } from '#form-failure.ts'
import { formatDuration } from '#format/duration.ts'
import { formatDateTime } from '#format/time.ts'
import { Button } from '#ui/control/button.tsx'
import { SelectField, TextField } from '#ui/control/field.tsx'
import { CollapsedParameterFields, ParameterFields } from '#ui/control/parameter-fields.tsx'
import { Card } from '#ui/frame/card.tsx'
import { Loading } from '#ui/state/loading.tsx'
import { Notice } from '#ui/state/notice.tsx'
import { copy } from './copy.ts'
import {
  blankTexts,
  commonPeriod,
  type FieldErrors,
  LIMIT_FIELDS,
  lastDays,
  namesIn,
  ownParameters,
  type Period,
  periodsOf,
  type RunTexts,
  tradedParameter,
} from './run-form.ts'
import classes from './run-form-panel.module.css'
import { SweepFields } from './sweep-fields.tsx'
import type { SweepTexts } from './sweep-form.ts'

export interface RunFormPanelProps {
  types: readonly StrategyType[]
  instruments: readonly Instrument[]
  recorded: readonly RecordedPeriod[]
  dataSets: readonly DataSet[]
  /** Undefined while types and recorded periods are loading. */
  texts: RunTexts | undefined
  /** Missing and refused fields, and a text for the rest. */
  failure: FormFailure | undefined
  busy: boolean
  onChange: (texts: RunTexts) => void
  onSubmit: () => void
  /** Undefined where sweeps are not offered. */
  sweep:
    | {
        texts: SweepTexts
        failure: FormFailure | undefined
        busy: boolean
        change: (sweep: SweepTexts) => void
        submit: () => void
      }
    | undefined
}

/** Of the form with the settings folded. */
const FORM_HEIGHT = 550

/** BT-17 */
export function RunFormPanel(props: RunFormPanelProps) {
  const { types, texts } = props
  const type = types.find((known) => known.type === texts?.type)
  return (
    <Card title={copy.form.title}>
      {texts === undefined || type === undefined ? (
        <Loading text={copy.form.loading} lines={6} bare height={FORM_HEIGHT} />
      ) : (
        <RunForm {...props} texts={texts} type={type} />
      )}
    </Card>
  )
}

interface RunFormProps extends RunFormPanelProps {
  texts: RunTexts
  type: StrategyType
}

function RunForm({
  types,
  type,
  texts,
  instruments,
  recorded,
  dataSets,
  failure,
  busy,
  onChange,
  onSubmit,
  sweep,
}: RunFormProps) {
  const { form } = copy
  const errors: FieldErrors = failure?.fields ?? {}
  const change = (part: Partial<RunTexts>) => onChange({ ...texts, ...part })
  const dataSet = dataSets.find(({ name }) => name === texts.dataSet)
  const period = commonPeriod(namesIn(texts.traded), dataSet ? periodsOf(dataSet) : recorded)
  const traded = tradedParameter(type)
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    onSubmit()
  }
  return (
    <form className={classes.form} aria-label={form.title} noValidate onSubmit={submit}>
      <SelectField
        label={form.type}
        value={type.type}
        options={types.map((known) => ({ value: known.type, label: known.title }))}
        error={errors['strategy.type']}
        onChange={(chosen) => {
          const next = types.find((known) => known.type === chosen)
          if (next) onChange({ ...texts, ...tradedOf(blankTexts(next, recorded)) })
        }}
      />
      {traded && (
        <ParameterFields
          parameters={[traded]}
          texts={{ [traded.name]: texts.traded }}
          errors={tradedErrors(errors, traded.name)}
          instruments={instruments}
          onChange={(given) => change({ traded: given[traded.name] ?? '' })}
        />
      )}
      <CollapsedParameterFields
        about={type.about}
        parameters={ownParameters(type)}
        texts={texts.settings}
        errors={configErrors(errors, 'strategy.config.')}
        instruments={instruments}
        onChange={(settings) => change({ settings })}
      />
      {(dataSets.length > 0 || texts.dataSet !== '') && (
        <SelectField
          label={form.source}
          value={texts.dataSet}
          options={sourceOptions(dataSets, texts.dataSet)}
          error={errors.data_set}
          onChange={(name) => {
            const chosen = dataSets.find((known) => known.name === name)
            const offered = commonPeriod(namesIn(texts.traded), chosen ? periodsOf(chosen) : recorded)
            change({ dataSet: name, ...lastDays(offered) })
          }}
        />
      )}
      <PeriodFields texts={texts} errors={errors} period={period} onChange={change} />
      <div className={classes.pair}>
        <SelectField
          label={form.interval}
          value={texts.interval}
          options={BAR_INTERVALS.map((value) => ({ value, label: value }))}
          error={errors.interval}
          onChange={(interval) => change({ interval })}
        />
        <TextField
          label={form.capital}
          inputMode="decimal"
          value={texts.capital}
          error={errors.initial_cash}
          onChange={(capital) => change({ capital })}
        />
      </div>
      <CostFields texts={texts} errors={errors} onChange={change} />
      <MoreFields texts={texts} errors={errors} onChange={change} />
      {failure?.text !== undefined && <Notice tone="bad" title={failure.text} isAlert />}
      <Button kind="primary" type="submit" busy={busy}>
        {form.run}
      </Button>
      {sweep && (
        <SweepFields
          type={type}
          texts={texts}
          sweep={sweep.texts}
          errors={sweepErrors(sweep.failure)}
          busy={sweep.busy}
          on={sweep}
        />
      )}
    </form>
  )
}

interface PartProps {
  texts: RunTexts
  errors: FieldErrors
  onChange: (part: Partial<RunTexts>) => void
}

function PeriodFields({ texts, errors, period, onChange }: PartProps & { period: Period | undefined }) {
  const { form } = copy
  return (
    <>
      <div className={`${classes.pair} ${classes.period}`}>
        <TextField
          label={form.from}
          value={texts.from}
          error={errors.from}
          onChange={(from) => onChange({ from })}
        />
        <TextField label={form.to} value={texts.to} error={errors.to} onChange={(to) => onChange({ to })} />
      </div>
      {period === undefined ? (
        <p className={classes.hint}>{form.notRecorded}</p>
      ) : (
        <>
          <p className={classes.hint}>
            {form.recorded(minuteText(period.from), minuteText(period.to))}
            {period.missingMs > 0 && form.lacks(formatDuration(period.missingMs))}
          </p>
          <fieldset className={classes.periods} aria-label={form.period}>
            {form.days.map(({ label, days }) => (
              <Button key={label} onClick={() => onChange(lastDays(period, days))}>
                {label}
              </Button>
            ))}
          </fieldset>
        </>
      )}
    </>
  )
}

function CostFields({ texts, errors, onChange }: PartProps) {
  const { form } = copy
  return (
    <div className={classes.pair}>
      <TextField
        label={form.slippage}
        inputMode="decimal"
        value={texts.slippageBps}
        error={errors.slippage_bps}
        onChange={(slippageBps) => onChange({ slippageBps })}
      />
      <TextField
        label={form.latency}
        inputMode="decimal"
        value={texts.latencyMs}
        error={errors.latency_ms}
        onChange={(latencyMs) => onChange({ latencyMs })}
      />
      <SelectField
        label={form.fees}
        value={texts.hasOwnFees ? 'own' : 'venue'}
        options={[
          { value: 'venue', label: form.venueFees },
          { value: 'own', label: form.ownFees },
        ]}
        onChange={(chosen) => onChange({ hasOwnFees: chosen === 'own' })}
      />
      {texts.hasOwnFees && (
        <>
          <TextField
            label={form.maker}
            inputMode="decimal"
            value={texts.makerBps}
            error={errors['fees.maker_bps']}
            onChange={(makerBps) => onChange({ makerBps })}
          />
          <TextField
            label={form.taker}
            inputMode="decimal"
            value={texts.takerBps}
            error={errors['fees.taker_bps']}
            onChange={(takerBps) => onChange({ takerBps })}
          />
        </>
      )}
    </div>
  )
}

function MoreFields({ texts, errors, onChange }: PartProps) {
  const { form } = copy
  const isRefused = ['seed', ...LIMIT_FIELDS.map((name) => `limits.${name}`)].some((name) => errors[name])
  return (
    <details className={classes.more} {...(isRefused && { open: true })}>
      <summary>{form.more}</summary>
      <div className={classes.pair}>
        <SelectField
          label={form.limits}
          value={texts.hasOwnLimits ? 'own' : 'capital'}
          options={[
            { value: 'capital', label: form.capitalLimits },
            { value: 'own', label: form.ownLimits },
          ]}
          onChange={(chosen) => onChange({ hasOwnLimits: chosen === 'own' })}
        />
        <TextField
          label={form.seed}
          inputMode="numeric"
          value={texts.seed}
          error={errors.seed}
          onChange={(seed) => onChange({ seed })}
        />
        {texts.hasOwnLimits &&
          LIMIT_FIELDS.map((name) => (
            <TextField
              key={name}
              label={form.limitNames[name]}
              inputMode="decimal"
              value={texts.limits[name]}
              error={errors[`limits.${name}`]}
              onChange={(text) => onChange({ limits: { ...texts.limits, [name]: text } })}
            />
          ))}
      </div>
    </details>
  )
}

/** What is refused of no field of the sweep is shown above its button. */
function sweepErrors(failure: FormFailure | undefined): FieldErrors {
  if (failure === undefined) return {}
  return failure.text === undefined ? failure.fields : { ...failure.fields, parameters: failure.text }
}

/** BT-29: one that was deleted since is still named. */
function sourceOptions(dataSets: readonly DataSet[], chosen: string) {
  const names = dataSets.map(({ name }) => name)
  const all = chosen === '' || names.includes(chosen) ? names : [chosen, ...names]
  return [
    { value: '', label: copy.form.market },
    ...all.map((name) => ({ value: name, label: copy.form.dataSet(name) })),
  ]
}

/** Another strategy has other parameters and instruments; period, capital and costs stay. */
function tradedOf({ type, settings, traded, interval }: RunTexts): Partial<RunTexts> {
  return { type, settings, traded, interval }
}

function tradedErrors(errors: FieldErrors, name: string): FieldErrors {
  const message = errors.instrument ?? errors.instruments ?? errors[`strategy.config.${name}`]
  return message === undefined ? {} : { [name]: message }
}

function minuteText(at: number): string {
  return formatDateTime(new Date(at).toISOString()).slice(0, 16)
}

import {
  ALERT_CHANNELS,
  ALERT_SEVERITIES,
  ALERT_WATCHES,
  type AlertChannelState,
  type AlertRule,
  type AlertWatch,
  COUNTED_WATCHES,
  STATE_WATCHES,
} from '@binnacle/contract'
import type { ReactNode, SubmitEvent } from 'react'
import type { FormFailure } from '#form-failure.ts'
import { Button } from '#ui/control/button.tsx'
import { SelectField, TextField } from '#ui/control/field.tsx'
import { Badge } from '#ui/figure/badge.tsx'
import { Card } from '#ui/frame/card.tsx'
import { Notice } from '#ui/state/notice.tsx'
import { copy } from './copy.ts'
import classes from './rule-editor.module.css'
import { MUTES, type MuteName, muteName, type RuleTexts } from './rule-form.ts'

const { editor: words } = copy

export interface RuleEditorProps {
  /** Undefined for a new one. */
  rule: AlertRule | undefined
  texts: RuleTexts
  subjects: Readonly<Record<string, readonly string[]>>
  /** Empty until they are loaded. */
  channels: readonly AlertChannelState[]
  failure: FormFailure | undefined
  busy: boolean
  on: {
    change: (texts: RuleTexts) => void
    save: () => void
    cancel: () => void
    remove: (() => void) | undefined
  }
  /** The test beside the form. */
  children: ReactNode
}

/** ALERT-25 */
export function RuleEditor(props: RuleEditorProps) {
  const { rule, texts, subjects, channels, failure, busy, on, children } = props
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    on.save()
  }
  const title = rule?.name ?? words.newRule
  return (
    <Card
      title={
        <>
          {title}
          {rule && <Badge tone="calm">{words.version(String(rule.id), rule.version)}</Badge>}
        </>
      }
      actions={
        on.remove && (
          <Button kind="quiet" onClick={on.remove}>
            {words.delete}
          </Button>
        )
      }
    >
      <div className={classes.split}>
        <form className={classes.form} aria-label={title} noValidate onSubmit={submit}>
          <RuleFields
            texts={texts}
            subjects={subjects}
            channels={channels}
            errors={failure?.fields ?? {}}
            onChange={on.change}
          />
          {failure?.text !== undefined && <Notice tone="bad" title={failure.text} isAlert />}
          <div className={classes.actions}>
            <Button kind="primary" type="submit" busy={busy}>
              {words.save}
            </Button>
            <Button onClick={on.cancel}>{words.cancel}</Button>
          </div>
        </form>
        {children}
      </div>
    </Card>
  )
}

interface RuleFieldsProps extends Pick<RuleEditorProps, 'texts' | 'subjects' | 'channels'> {
  errors: Readonly<Record<string, string>>
  onChange: (texts: RuleTexts) => void
}

function RuleFields({ texts, subjects, channels, errors, onChange }: RuleFieldsProps) {
  const change = (part: Partial<RuleTexts>) => onChange({ ...texts, ...part })
  const { unit } = copy.watches[texts.watch]
  const isState = STATE_WATCHES.includes(texts.watch)
  const isCounted = COUNTED_WATCHES.includes(texts.watch)
  return (
    <>
      <TextField
        label={words.name}
        value={texts.name}
        error={errors.name}
        onChange={(name) => change({ name })}
      />
      <div className={classes.pair}>
        <SelectField
          label={words.watch}
          value={texts.watch}
          options={ALERT_WATCHES.map((value) => ({ value, label: copy.watches[value].label }))}
          error={errors.watch}
          onChange={(watch) => change({ watch, subject: subjectFor(watch, subjects), ...directionOf(watch) })}
        />
        <SubjectField texts={texts} subjects={subjects} error={errors.subject} onChange={change} />
      </div>
      {!isState && (
        <div className={classes.pair}>
          {!isCounted && (
            <SelectField
              label={words.direction}
              value={texts.direction}
              options={(['above', 'below'] as const).map((value) => ({
                value,
                label: words.directions[value],
              }))}
              onChange={(direction) => change({ direction })}
            />
          )}
          <TextField
            label={words.threshold(unit)}
            inputMode="decimal"
            value={texts.threshold}
            error={errors.threshold}
            onChange={(threshold) => change({ threshold })}
          />
          <TextField
            label={words.clear(unit)}
            inputMode="decimal"
            value={texts.clear}
            error={errors.clear}
            onChange={(clear) => change({ clear })}
          />
          {isCounted && (
            <TextField
              label={words.window}
              inputMode="decimal"
              value={texts.windowMin}
              error={errors.window_s}
              onChange={(windowMin) => change({ windowMin })}
            />
          )}
        </div>
      )}
      <div className={classes.pair}>
        <TextField
          label={words.cooldown}
          inputMode="decimal"
          value={texts.cooldownMin}
          error={errors.cooldown_s}
          onChange={(cooldownMin) => change({ cooldownMin })}
        />
        <SelectField
          label={words.severity}
          value={texts.severity}
          options={ALERT_SEVERITIES.map((value) => ({ value, label: copy.severities[value] }))}
          onChange={(severity) => change({ severity })}
        />
        <TextField
          label={words.escalate}
          placeholder={words.escalateNever}
          inputMode="decimal"
          value={texts.escalateMin}
          error={errors.escalate_after_s}
          onChange={(escalateMin) => change({ escalateMin })}
        />
        <SelectField
          label={words.muted}
          value={muteName(texts.mute)}
          options={muteOptions(texts)}
          onChange={(name) => name !== 'own' && change({ mute: MUTES[name] })}
        />
      </div>
      <fieldset className={classes.channels}>
        <legend>{words.channels}</legend>
        {ALERT_CHANNELS.map((channel) => (
          <label key={channel}>
            <input
              type="checkbox"
              checked={texts.channels.includes(channel)}
              onChange={({ target }) =>
                change({
                  channels: ALERT_CHANNELS.filter((each) =>
                    each === channel ? target.checked : texts.channels.includes(each),
                  ),
                })
              }
            />
            {copy.channels.names[channel]}{' '}
            {channels.some((state) => state.channel === channel && !state.is_ready) && (
              <small>{copy.channels.notReady}</small>
            )}
          </label>
        ))}
        {errors.channels !== undefined && (
          <p className={classes.error} role="alert">
            {errors.channels}
          </p>
        )}
      </fieldset>
    </>
  )
}

interface SubjectFieldProps extends Pick<RuleFieldsProps, 'texts' | 'subjects'> {
  error: string | undefined
  onChange: (part: Partial<RuleTexts>) => void
}

function SubjectField({ texts: { watch, subject }, subjects, error, onChange }: SubjectFieldProps) {
  const known = subjects[watch]
  const all = known === undefined || watch === 'pnl' ? words.whole : words.each
  const options = [
    ...(watch === 'price' ? [] : [{ value: '', label: all }]),
    ...(known ?? []).map((value) => ({ value, label: value })),
  ]
  // A strategy that was deleted since.
  if (!options.some(({ value }) => value === subject)) options.push({ value: subject, label: subject })
  return (
    <SelectField
      label={words.subject}
      value={subject}
      options={options}
      error={error}
      onChange={(chosen) => onChange({ subject: chosen })}
    />
  )
}

function subjectFor(watch: AlertWatch, subjects: RuleEditorProps['subjects']): string {
  return watch === 'price' ? (subjects.price?.[0] ?? '') : ''
}

/** Losses and free space are watched downwards unless the person says otherwise. */
function directionOf(watch: AlertWatch): Pick<RuleTexts, 'direction'> {
  return { direction: watch === 'pnl' || watch === 'disk' ? 'below' : 'above' }
}

function muteOptions({ mute }: RuleTexts): { value: MuteName; label: string }[] {
  const offered: MuteName[] = ['never', 'nights', 'weekends']
  if (muteName(mute) === 'own') offered.push('own')
  return offered.map((value) => ({ value, label: words.mutes[value] }))
}

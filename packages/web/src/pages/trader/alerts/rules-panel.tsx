import type { AlertRule, Id, Samples } from '@binnacle/contract'
import { useState } from 'react'
import { seriesOf } from '#data/samples.ts'
import { formatDuration } from '#format/duration.ts'
import { shortTime } from '#format/short-time.ts'
import { SEVERITY_TONES } from '#ui/alert/inbox-panel.tsx'
import { SparkLine } from '#ui/chart/spark-line.tsx'
import { SwitchField, TextField } from '#ui/control/field.tsx'
import { Badge } from '#ui/figure/badge.tsx'
import { Card } from '#ui/frame/card.tsx'
import { Table } from '#ui/list/table.tsx'
import { CHANNEL_ICONS } from './channels-panel.tsx'
import { copy } from './copy.ts'
import { conditionText } from './rule-form.ts'
import classes from './rules-panel.module.css'

const { rules: words } = copy
const COLUMNS = Object.values(words.columns).map((title) => ({ title }))

export interface RulesPanelProps {
  rules: readonly AlertRule[]
  chosen: Id | undefined
  /** The last hour of what the rules watch. */
  hour: Samples | undefined
  busy: ReadonlySet<string>
  onChoose: (rule: AlertRule) => void
  onToggle: (rule: AlertRule) => void
}

/** ALERT-22 */
export function RulesPanel({ rules, chosen, hour, busy, onChoose, onToggle }: RulesPanelProps) {
  const [search, setSearch] = useState('')
  const found = rules.filter((rule) => isMatch(rule, search))
  const on = rules.filter(({ is_enabled }) => is_enabled)
  return (
    <Card
      title={words.title}
      aside={words.count(on.length, on.filter(({ is_muted }) => is_muted).length)}
      actions={
        <TextField
          label={words.find}
          labelHidden
          type="search"
          placeholder={words.find}
          value={search}
          onChange={setSearch}
        />
      }
    >
      <div className={classes.rules}>
        <Table label={words.title} columns={COLUMNS}>
          {found.map((rule) => (
            <tr key={rule.id} aria-current={rule.id === chosen ? 'true' : undefined}>
              <td>
                <SwitchField
                  label={words.enabled(rule.name)}
                  labelHidden
                  checked={rule.is_enabled}
                  onChange={() => !busy.has(String(rule.id)) && onToggle(rule)}
                />
              </td>
              <td>
                <button type="button" className={classes.choose} onClick={() => onChoose(rule)}>
                  {rule.name}
                </button>
              </td>
              <td className={`${classes.dim} ${classes.condition}`}>{conditionText(rule)}</td>
              <td className={classes.spark}>
                <HistoryLine rule={rule} hour={hour} />
              </td>
              <td>
                <Badge tone={SEVERITY_TONES[rule.severity]}>{copy.severities[rule.severity]}</Badge>
              </td>
              <td>
                <span className={classes.icons}>
                  {rule.channels.map((channel) => {
                    const Icon = CHANNEL_ICONS[channel]
                    const name = copy.channels.names[channel]
                    return <Icon key={channel} size={14} stroke={1.5} role="img" aria-label={name} />
                  })}
                </span>
              </td>
              <td className={classes.dim}>
                {rule.cooldown_s === 0 ? copy.none : formatDuration(rule.cooldown_s * 1000)}
              </td>
              <td className={classes.dim}>{lastText(rule)}</td>
            </tr>
          ))}
        </Table>
      </div>
      {found.length === 0 && <p className={classes.dim}>{words.noMatch}</p>}
    </Card>
  )
}

function HistoryLine({ rule, hour }: { rule: AlertRule; hour: Samples | undefined }) {
  const points = rule.series ? seriesOf(hour, rule.series)?.points : undefined
  if (points === undefined || points.length < 2) return copy.none
  return <SparkLine values={points.map(([, last]) => last)} />
}

function lastText({ is_enabled, is_muted, last_fired_at }: AlertRule): string {
  if (is_enabled && is_muted) return words.muted
  return last_fired_at ? shortTime(last_fired_at) : copy.none
}

function isMatch(rule: AlertRule, search: string): boolean {
  const text = `${rule.name} ${copy.watches[rule.watch].label} ${conditionText(rule)}`.toLowerCase()
  return search
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word))
}

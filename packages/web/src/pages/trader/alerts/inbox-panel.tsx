import { ALERT_CHANNELS, ALERT_STATES, type Alert, type AlertState } from '@binnacle/contract'
import { IconAlertOctagon, IconAlertTriangle, IconCheck, IconInfoCircle } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { Button } from '#ui/control/button.tsx'
import { Badge } from '#ui/figure/badge.tsx'
import { Card } from '#ui/frame/card.tsx'
import { Tabs } from '#ui/frame/tabs.tsx'
import type { Tone } from '#ui/look/tone.ts'
import { EmptyState } from '#ui/state/empty-state.tsx'
import { shortTime } from './alert-time.ts'
import { copy } from './copy.ts'
import classes from './inbox-panel.module.css'

const { inbox: words } = copy

export interface InboxPanelProps {
  counts: Readonly<Record<AlertState, number>>
  shown: AlertState
  onShow: (state: AlertState) => void
  /** Undefined until loaded. */
  alerts: readonly Alert[] | undefined
  busy: ReadonlySet<string>
  on: InboxActions
}

export interface InboxActions {
  acknowledge: (alert: Alert) => void
  resolve: (alert: Alert) => void
  snooze: (alert: Alert) => void
}

/** ALERT-21: the alerts of one state, newest first, with what can be done about each. */
export function InboxPanel({ counts, shown, onShow, alerts, busy, on }: InboxPanelProps) {
  const tabs = ALERT_STATES.map((name) => ({ name, label: `${words.tabs[name]} ${counts[name]}` }))
  return (
    <Card title={words.title}>
      <Tabs label={words.title} tabs={tabs} active={shown} onChange={onShow}>
        {alerts === undefined && <p className={classes.note}>{words.loading}</p>}
        {alerts?.length === 0 && (
          <EmptyState title={words.empty[shown]}>
            <p>{words.emptyHint}</p>
          </EmptyState>
        )}
        {alerts !== undefined && alerts.length > 0 && (
          <ul className={classes.list} aria-label={words.tabs[shown]}>
            {alerts.map((alert) => (
              <AlertEntry key={alert.id} alert={alert} busy={busy.has(String(alert.id))} on={on} />
            ))}
          </ul>
        )}
      </Tabs>
    </Card>
  )
}

export const SEVERITY_TONES: Readonly<Record<Alert['severity'], Tone>> = {
  info: 'calm',
  warning: 'warn',
  critical: 'bad',
}

const ICONS = { info: IconInfoCircle, warning: IconAlertTriangle, critical: IconAlertOctagon }

interface AlertEntryProps {
  alert: Alert
  busy: boolean
  on: InboxActions
}

function AlertEntry({ alert, busy, on }: AlertEntryProps) {
  const Icon = ICONS[alert.severity]
  const isSnoozed = alert.snoozed_until != null
  return (
    <li className={classes.alert} data-tone={SEVERITY_TONES[alert.severity]}>
      <Icon size={16} stroke={1.5} className={classes.icon} aria-hidden />
      <h3>{alert.title}</h3>
      <time dateTime={alert.raised_at}>{shortTime(alert.raised_at)}</time>
      <p className={classes.text}>{alert.text}</p>
      <div className={classes.foot}>
        <Badge tone={SEVERITY_TONES[alert.severity]}>{copy.severities[alert.severity]}</Badge>
        {alert.escalated_at != null && <span className={classes.note}>{words.escalated}</span>}
        <span className={classes.note}>{deliveryText(alert)}</span>
        <HandledBy alert={alert} />
        {isSnoozed && (
          <span className={classes.note}>{words.snoozed(shortTime(alert.snoozed_until ?? ''))}</span>
        )}
        {alert.state !== 'resolved' && (
          <span className={classes.actions}>
            {alert.state === 'open' && (
              <>
                <Button
                  busy={busy}
                  aria-label={`${words.acknowledge} ${alert.title}`}
                  onClick={() => on.acknowledge(alert)}
                >
                  {words.acknowledge}
                </Button>
                {!isSnoozed && (
                  <Button
                    busy={busy}
                    aria-label={`${words.snooze} ${alert.title}`}
                    onClick={() => on.snooze(alert)}
                  >
                    {words.snooze}
                  </Button>
                )}
              </>
            )}
            <Button
              busy={busy}
              aria-label={`${words.resolve} ${alert.title}`}
              onClick={() => on.resolve(alert)}
            >
              {words.resolve}
            </Button>
          </span>
        )}
      </div>
    </li>
  )
}

function HandledBy({ alert }: { alert: Alert }): ReactNode {
  const { resolved_by, resolved_at, acknowledged_by, acknowledged_at } = alert
  if (resolved_by && resolved_at)
    return (
      <span className={classes.note}>
        <IconCheck size={12} aria-hidden /> {words.resolvedBy(resolved_by, shortTime(resolved_at))}
      </span>
    )
  if (!acknowledged_by || !acknowledged_at) return null
  return (
    <span className={classes.note}>{words.acknowledgedBy(acknowledged_by, shortTime(acknowledged_at))}</span>
  )
}

/** ALERT-15: what became of it on each channel; in-app needs no word, since it is here. */
function deliveryText({ deliveries }: Alert): string {
  return deliveries
    .filter(({ channel }) => channel !== 'in-app')
    .map(({ channel, state, error }) => {
      const reason = state === 'failed' && error ? `: ${error}` : ''
      return `${nameOf(channel)} ${copy.channels.states[state]}${reason}`
    })
    .join(', ')
}

function nameOf(channel: string): string {
  const known = ALERT_CHANNELS.find((each) => each === channel)
  return known === undefined ? channel : copy.channels.names[known]
}

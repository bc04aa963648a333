import { IconAlertOctagon, IconAlertTriangle, IconCheck, IconInfoCircle } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { shortTime } from '#format/short-time.ts'
import { Button } from '#ui/control/button.tsx'
import { Badge } from '#ui/figure/badge.tsx'
import { Card } from '#ui/frame/card.tsx'
import { Tabs } from '#ui/frame/tabs.tsx'
import type { Tone } from '#ui/look/tone.ts'
import { EmptyState } from '#ui/state/empty-state.tsx'
import { alertWords } from './alert-words.ts'
import classes from './inbox-panel.module.css'

const { inbox: words } = alertWords

const STATES = ['open', 'acknowledged', 'resolved'] as const
type State = (typeof STATES)[number]

export interface InboxAlert {
  id: number | string
  title: string
  text: string
  severity: keyof typeof alertWords.severities
  state: State
  raised_at: string
  acknowledged_at?: string | null | undefined
  acknowledged_by?: string | null | undefined
  resolved_at?: string | null | undefined
  resolved_by?: string | null | undefined
  snoozed_until?: string | null | undefined
  escalated_at?: string | null | undefined
  deliveries: readonly InboxDelivery[]
}

interface InboxDelivery {
  channel: string
  state: keyof typeof alertWords.deliveries
  error?: string | null | undefined
}

export interface InboxPanelProps {
  counts: Readonly<Record<State, number>>
  shown: State
  onShow: (state: State) => void
  /** Undefined until loaded. */
  alerts: readonly InboxAlert[] | undefined
  busy: ReadonlySet<string>
  on: InboxActions
}

export interface InboxActions {
  acknowledge: (alert: InboxAlert) => void
  resolve: (alert: InboxAlert) => void
  snooze: (alert: InboxAlert) => void
}

/** ALERT-21: the alerts of one state, newest first, with what can be done about each. */
export function InboxPanel({ counts, shown, onShow, alerts, busy, on }: InboxPanelProps) {
  const tabs = STATES.map((name) => ({ name, label: `${words.tabs[name]} ${counts[name]}` }))
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

export const SEVERITY_TONES: Readonly<Record<InboxAlert['severity'], Tone>> = {
  info: 'calm',
  warning: 'warn',
  critical: 'bad',
}

const ICONS = { info: IconInfoCircle, warning: IconAlertTriangle, critical: IconAlertOctagon }

interface AlertEntryProps {
  alert: InboxAlert
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
        <Badge tone={SEVERITY_TONES[alert.severity]}>{alertWords.severities[alert.severity]}</Badge>
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

function HandledBy({ alert }: { alert: InboxAlert }): ReactNode {
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
function deliveryText({ deliveries }: InboxAlert): string {
  return deliveries
    .filter(({ channel }) => channel !== 'in-app')
    .map(({ channel, state, error }) => {
      const reason = state === 'failed' && error ? `: ${error}` : ''
      return `${nameOf(channel)} ${alertWords.deliveries[state]}${reason}`
    })
    .join(', ')
}

function nameOf(channel: string): string {
  return new Map<string, string>(Object.entries(alertWords.channels)).get(channel) ?? channel
}

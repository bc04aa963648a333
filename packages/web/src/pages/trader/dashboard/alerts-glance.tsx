import type { AlertSummary } from '@binnacle/contract'
import { formatDateTime } from '#format/time.ts'
import { paths } from '#paths.ts'
import { TextLink } from '#ui/control/text-link.tsx'
import { Badge } from '#ui/figure/badge.tsx'
import { Card } from '#ui/frame/card.tsx'
import classes from './alerts-glance.module.css'
import { copy } from './copy.ts'

/** Alerts at a glance; all are on their own screen. */
const MAX_ROWS = 4
const TONES = { info: 'calm', warning: 'warn', critical: 'bad' } as const

/** ALERT-19: the open alerts, newest first. */
export function AlertsGlance({ summary }: { summary: AlertSummary }) {
  const { alerts: words } = copy
  const open = summary.alerts.filter(({ state }) => state === 'open')
  return (
    <Card
      title={words.title}
      aside={words.open(summary.open)}
      actions={<TextLink to={paths.alerts}>{words.all}</TextLink>}
    >
      {open.length === 0 && <p className={classes.none}>{words.none}</p>}
      <ul className={classes.list} aria-label={words.title}>
        {open.slice(0, MAX_ROWS).map(({ id, title, severity, raised_at }) => (
          <li key={id}>
            <Badge tone={TONES[severity]}>{severity}</Badge>
            <span className={classes.title}>{title}</span>
            <time dateTime={raised_at}>{formatDateTime(raised_at).slice(11, 16)}</time>
          </li>
        ))}
      </ul>
    </Card>
  )
}

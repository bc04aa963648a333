import { Card } from '#ui/frame/card.tsx'
import { Notice } from '#ui/state/notice.tsx'
import classes from './alerts-panel.module.css'
import { copy } from './copy.ts'
import type { RiskAlert } from './risk-alerts.ts'

export interface AlertsPanelProps {
  alerts: readonly RiskAlert[]
}

export function AlertsPanel({ alerts }: AlertsPanelProps) {
  return (
    <Card title={copy.alerts.title}>
      <div className={classes.alerts}>
        {alerts.length === 0 && <p>{copy.alerts.none}</p>}
        {alerts.map(({ tone, title, text }) => (
          <Notice key={title} tone={tone} title={title}>
            {text}
          </Notice>
        ))}
      </div>
    </Card>
  )
}

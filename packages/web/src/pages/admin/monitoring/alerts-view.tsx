import { paths } from '#paths.ts'
import { GoButton } from '#ui/control/button.tsx'
import { Card } from '#ui/frame/card.tsx'
import { copy } from './copy.ts'
import classes from './monitoring-page.module.css'

/** The place of the alerts' own view; they are on the Alerts screen. */
export function AlertsView() {
  return (
    <Card title={copy.alerts.title}>
      <p className={classes.note}>{copy.alerts.text}</p>
      <GoButton to={paths.alerts}>{copy.alerts.open}</GoButton>
    </Card>
  )
}

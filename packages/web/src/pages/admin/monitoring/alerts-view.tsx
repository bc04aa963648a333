import { useQuery } from '@tanstack/react-query'
import { capabilityQueries, offers } from '#data/capabilities.ts'
import { paths } from '#paths.ts'
import { useAlertInbox } from '#state/alert-inbox.ts'
import { InboxPanel } from '#ui/alert/inbox-panel.tsx'
import { GoButton } from '#ui/control/button.tsx'
import { Card } from '#ui/frame/card.tsx'
import { Notice } from '#ui/state/notice.tsx'
import { copy } from './copy.ts'
import classes from './monitoring-page.module.css'

/** MON-19: the inbox of the Alerts screen, whose rules and channels are there. */
export function AlertsView() {
  const { data: backend } = useQuery(capabilityQueries.backend())
  return (
    <>
      {offers(backend, 'alerts') ? <Inbox /> : <Notice tone="calm" title={copy.alerts.notOffered} />}
      <Card title={copy.alerts.title}>
        <p className={classes.note}>{copy.alerts.text}</p>
        <GoButton to={paths.alerts}>{copy.alerts.open}</GoButton>
      </Card>
    </>
  )
}

function Inbox() {
  return <InboxPanel {...useAlertInbox()} />
}

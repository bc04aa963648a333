import type { Alert } from '@binnacle/contract'
import { useEffect, useRef } from 'react'
import { reportShown } from '#data/alert-notifications.ts'
import { useAlertSummary } from '#data/alerts.ts'
import { useSystemIdentity } from '#data/system-identity.ts'
import { showNotification } from '#state/browser-notifications.ts'
import classes from './header.module.css'

/** ALERT-20: shows new alerts in the browser while a tab is open, and says them to screen readers. */
export function AlertNotifier() {
  const summary = useAlertSummary()
  const system = useSystemIdentity()?.system_name
  const seen = useRef(new Set<string>())
  useEffect(() => {
    for (const alert of summary?.alerts ?? []) {
      const key = `${alert.id} ${alert.escalated_at ?? ''}`
      if (!isWaiting(alert) || seen.current.has(key)) continue
      seen.current.add(key)
      const tag = `binnacle-alert-${key}`
      const title = system === undefined ? alert.title : `[${system}] ${alert.title}`
      if (showNotification(title, alert.text, tag)) void reportShown(alert.id)
    }
  }, [summary, system])
  const latest = summary?.alerts.find(({ state }) => state === 'open')
  return (
    <div className={classes.announced} role="status">
      {latest && `Alert: ${latest.title}. ${latest.text}`}
    </div>
  )
}

function isWaiting({ deliveries }: Alert): boolean {
  return deliveries.some(({ channel, state }) => channel === 'browser' && state === 'pending')
}

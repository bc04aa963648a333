import { AlertRuleInput } from '@binnacle/contract'
import type { Alerts } from '#services/alerts/alerts.ts'
import { serverAuditContext } from '#storage/audit/audit-context.ts'
import type { Sample } from './admin-samples.ts'

/** A price that is never reached. */
const RULE = { watch: 'price', subject: 'BTCUSDT', threshold: 9e9, clear: 8e9 } as const

let added = 0

/** Requests for the calls of alerts. What they act on is made first. */
export const ALERT_SAMPLES: Record<string, (alerts: Alerts, nth: number) => Sample | Promise<Sample>> = {
  'alerts.acknowledge': anAlert,
  'alerts.resolve': anAlert,
  'alerts.shown': anAlert,
  'alerts.snooze': async (alerts) => ({ ...(await anAlert(alerts)), body: { seconds: 60 } }),
  'alerts.mute': (_, nth) => ({ body: { seconds: 60 + (nth % 60) } }),
  'alerts.sendTest': () => ({}),
  'alerts.addRule': () => ({ body: aRule() }),
  'alerts.changeRule': async (alerts) => ({
    params: { id: await addRule(alerts) },
    body: { ...aRule(), severity: 'critical' },
  }),
  'alerts.removeRule': async (alerts) => ({ params: { id: await addRule(alerts) } }),
  'alerts.testRule': () => ({ body: { rule: aRule(), days: 1 } }),
  'alerts.changeHeartbeat': (_, nth) => ({
    body: { is_enabled: false, url: 'https://watcher.example/ping', every_s: 60 + (nth % 60) },
  }),
}

/** Names are unique. */
function aRule() {
  added += 1
  return { name: `Far price ${added}`, ...RULE }
}

async function anAlert(alerts: Alerts): Promise<Sample> {
  return { params: { id: String((await alerts.sendTest(AUDIT)).id) } }
}

async function addRule(alerts: Alerts): Promise<string> {
  const rule = await alerts.addRule(AUDIT, AlertRuleInput.parse(aRule()))
  if (!rule.ok) throw new Error('A sample could not be made')
  return String(rule.value.id)
}

const AUDIT = serverAuditContext('a sample')

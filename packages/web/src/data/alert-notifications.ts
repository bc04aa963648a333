import { alerts, type Id } from '@binnacle/contract'
import { call } from './client.ts'
import { logOnly } from './failure.ts'

/** Reports that this tab has shown the notification of an alert. A report that gets lost leaves it pending. */
export async function reportShown(id: Id): Promise<void> {
  await call(alerts.shown, { params: { id } }).catch(logOnly)
}

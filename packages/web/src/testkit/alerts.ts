import type { Alert } from '@binnacle/contract'

/** An open alert with one delivery that arrived and one that failed. */
export const ALERT: Alert = {
  id: 7,
  rule_id: 1,
  watch: 'exposure',
  subject: '',
  title: 'Exposure above 60%',
  text: 'Total exposure is 62.4% of its maximum, at or above 60%.',
  severity: 'warning',
  state: 'open',
  value: 62.4,
  raised_at: '2026-03-04T13:47:19.000Z',
  deliveries: [
    { channel: 'in-app', state: 'delivered', tries: 1, at: '2026-03-04T13:47:19.000Z' },
    { channel: 'slack', state: 'failed', tries: 5, at: '2026-03-04T13:47:19.000Z', error: 'HTTP 429' },
  ],
}

/** The words of alerts on every screen that lists them. */
export const alertWords = {
  inbox: {
    title: 'Inbox',
    tabs: { open: 'Open', acknowledged: 'Acknowledged', resolved: 'Resolved' },
    loading: 'Loading alerts...',
    empty: {
      open: 'No open alerts',
      acknowledged: 'No acknowledged alerts',
      resolved: 'No resolved alerts',
    },
    emptyHint: 'The rules are evaluated every second; prices with every change.',
    acknowledge: 'Acknowledge',
    resolve: 'Resolve',
    snooze: 'Snooze 1 h',
    snoozed: (time: string) => `snoozed until ${time}`,
    escalated: 'escalated',
    acknowledgedBy: (who: string, time: string) => `${who}, ${time}`,
    resolvedBy: (who: string, time: string) => (who === 'server' ? `by itself, ${time}` : `${who}, ${time}`),
  },
  channels: {
    'in-app': 'In-app',
    browser: 'Browser',
    email: 'Email',
    slack: 'Slack',
    sms: 'SMS',
  },
  deliveries: { delivered: 'delivered', pending: 'pending', failed: 'failed' },
  severities: { info: 'info', warning: 'warning', critical: 'critical' },
}

export const copy = {
  title: 'Monitoring',
  back: 'Back',
  things: 'monitoring',
  loading: 'Loading figures...',
  failed: 'The figures could not be loaded',
  figures: {
    cpuUsage: 'CPU Usage',
    memory: 'Memory',
    requestsPerSecond: 'Requests/sec',
    uptime: 'Uptime',
  },
  details: 'Details',
  example: 'The figures above are fixed examples, not measurements.',
} as const

/** MON-2: the message of each button, until the server offers these views. */
export const views = [
  { label: 'View Metrics', message: 'Detailed metrics are not offered by this server' },
  { label: 'View Logs', message: 'Logs are not offered by this server' },
  { label: 'View Alerts', message: 'Alerts are not offered by this server' },
  { label: 'View Reports', message: 'Reports are not offered by this server' },
] as const

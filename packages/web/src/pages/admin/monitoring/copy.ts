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
  example: 'The figures above are fixed examples: this server measures nothing for the console to show.',
} as const

/** MON-2: what each button only says, as long as there is nothing behind it. */
export const views = [
  { label: 'View Metrics', message: 'Detailed metrics are not offered by this server' },
  { label: 'View Logs', message: 'Logs are not offered by this server' },
  { label: 'View Alerts', message: 'Alerts are not offered by this server' },
  { label: 'View Reports', message: 'Reports are not offered by this server' },
] as const

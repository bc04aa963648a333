export const copy = {
  title: 'Components',
  back: 'Back',
  things: 'components',
  list: 'Engine components',
  loading: 'Loading components...',
  empty: 'No Components',
  failed: 'The components could not be loaded',
  all: 'all components',
  actions: { stop: 'Stop', restart: 'Restart', configure: 'Config' },
  bulk: { start: 'Start All', stop: 'Stop All', restart: 'Restart All' },
} as const

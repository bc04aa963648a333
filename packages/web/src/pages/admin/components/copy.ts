export const copy = {
  title: 'Components',
  back: 'Back',
  things: 'components',
  list: 'Engine components',
  loading: 'Loading components...',
  empty: 'No Components',
  failed: 'The components could not be loaded',
  all: 'all components',
  actions: { start: 'Start', stop: 'Stop', restart: 'Restart', configure: 'Config' },
  configOf: (name: string) => `Configuration of ${name}`,
  configLabel: 'Configuration as JSON',
  notObject: 'Enter a JSON object, such as { "name": value }.',
  save: 'Save',
  cancel: 'Cancel',
  confirmAction: { stop: 'Stop', restart: 'Restart' },
  confirm: { stop: (name: string) => `Stop ${name}?`, restart: (name: string) => `Restart ${name}?` },
  consequences: {
    stop: {
      all: 'Working orders are cancelled. Nothing trades until the components are started again.',
      DataEngine: 'Prices go stale, strategies receive no ticks, and market orders are refused.',
      ExecutionEngine:
        'Working orders are cancelled, and every new order is refused, including closing orders.',
      RiskEngine:
        'The daily loss limit is not checked, and orders that add exposure are refused. Cancels and closing orders are accepted.',
      Portfolio:
        'P&L and risk metrics stop updating, the daily loss limit is not checked, and orders that add exposure are refused.',
      Cache: 'Trading continues without it. No order is refused.',
      MessageBus: 'Strategies receive no data. Manual orders and cancels are accepted.',
      other: 'It is unavailable until it is started again.',
    },
    restart: {
      all: 'Working orders are cancelled.',
      ExecutionEngine: 'Working orders are cancelled.',
      other: 'It pauses for a moment.',
    },
  },
  bulk: { start: 'Start All', stop: 'Stop All', restart: 'Restart All' },
} as const

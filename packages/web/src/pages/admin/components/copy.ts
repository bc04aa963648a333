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
  configOf: (name: string) => `Configuration of ${name}`,
  configLabel: 'Configuration as JSON',
  notJson: 'This is not valid JSON.',
  notObject: 'A configuration is a JSON object: { "name": value }.',
  save: 'Save',
  cancel: 'Cancel',
  really: { stop: (name: string) => `Stop ${name}?`, restart: (name: string) => `Restart ${name}?` },
  consequences: {
    stop: {
      all: 'Working orders are cancelled, and nothing trades until the components are started again.',
      DataEngine: 'Prices go stale, strategies get no ticks, and market orders are refused.',
      ExecutionEngine: 'Working orders are cancelled, and every new order is refused, closes included.',
      RiskEngine:
        'The daily loss is not watched, and orders that add exposure are refused; cancels and closes pass.',
      Portfolio:
        'P&L and risk metrics stand still, the daily loss is not watched, and orders that add exposure are refused.',
      Cache: 'Nothing is refused; trading goes on without it.',
      MessageBus: 'Strategies receive nothing; manual orders and cancels pass.',
      other: 'What it does is not done until it is started again.',
    },
    restart: {
      all: 'Working orders are cancelled.',
      ExecutionEngine: 'Working orders are cancelled.',
      other: 'It stands still for a moment.',
    },
  },
  bulk: { start: 'Start All', stop: 'Stop All', restart: 'Restart All' },
} as const

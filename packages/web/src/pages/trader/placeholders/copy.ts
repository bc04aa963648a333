export const copy = {
  back: 'Back',
  marketData: 'Market Data',
  performance: 'Performance Analytics',
  alerts: 'Alerts & Notifications',
  backtesting: 'Backtesting',
  soon: (title: string) => `${title} coming soon`,
  unknown: {
    title: 'Waiting for the server',
    text: 'This page appears once the server has reported its capabilities.',
  },
  notShown: {
    title: (title: string) => `This server offers ${title}`,
    text: 'This version of the console does not support it yet.',
  },
}

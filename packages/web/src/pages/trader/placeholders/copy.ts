export const copy = {
  back: 'Back',
  marketData: 'Market Data',
  performance: 'Performance Analytics',
  alerts: 'Alerts & Notifications',
  backtesting: 'Backtesting',
  notOffered: 'Not offered by this engine',
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

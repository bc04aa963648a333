export const copy = {
  back: 'Back',
  marketData: 'Market Data',
  performance: 'Performance Analytics',
  alerts: 'Alerts & Notifications',
  backtesting: 'Backtesting',
  soon: (title: string) => `${title} coming soon`,
  unknown: {
    title: 'Waiting to learn what this server offers',
    text: 'It has not said yet what it can do. The console keeps asking.',
  },
  notShown: {
    title: (title: string) => `This server offers ${title}`,
    text: 'This version of the console cannot show it yet.',
  },
}

export const copy = {
  title: 'Risk Management',
  back: '← Back to Dashboard',
  loading: 'Loading risk data...',
  exposure: {
    title: 'Total Exposure',
    meter: 'Exposure',
    share: (percent: string) => `${percent} of maximum position size`,
  },
  margin: {
    title: 'Margin Usage',
    meter: 'Margin used',
    share: (percent: string) => `${percent} used`,
    available: (money: string) => `${money} available`,
  },
  drawdown: {
    title: 'Max Drawdown',
    valueAtRisk: (money: string) => `1-day VaR: ${money}`,
  },
  unknown: '—',
  limits: {
    title: 'Risk Limits',
    fields: {
      max_order_size: 'Max Order Size',
      max_position_size: 'Max Position Size',
      max_daily_loss: 'Max Daily Loss',
      max_positions: 'Max Positions',
    },
    isDefault: 'default',
    edit: 'Edit Limits',
    save: 'Save',
    cancel: 'Cancel',
  },
  alerts: {
    title: 'Risk Alerts',
    none: 'No alerts.',
    margin: {
      title: 'High Margin Usage',
      text: 'Margin usage is above 80%. Consider reducing exposure.',
    },
    positions: {
      title: 'Max Positions Reached',
      text: (open: number, allowed: number) => `${open} positions are open, ${allowed} are allowed.`,
    },
    exposure: {
      title: 'Critical Exposure Level',
      text: 'Total exposure is above 90% of maximum. Immediate action required.',
    },
    normal: {
      title: 'All Systems Normal',
      text: 'Risk metrics are within acceptable ranges.',
    },
  },
}

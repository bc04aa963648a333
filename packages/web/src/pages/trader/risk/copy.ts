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
  trading: {
    title: 'Trading State',
    states: {
      ACTIVE: 'Active: orders within the limits are let through.',
      REDUCING: 'Reducing: only orders that reduce a position are let through.',
      HALTED: 'Halted: no order is let through.',
    },
    gatesAtRest: (names: string) =>
      `Active, but not every order within the limits is let through. Not running: ${names}.`,
    since: (time: string) => `Since ${time}.`,
    actions: { HALTED: 'Halt Trading', REDUCING: 'Reduce Only', ACTIVE: 'Resume Trading' },
    questions: {
      HALTED:
        'Halt trading? No order is let through, not even one that closes a position, until somebody resumes. Cancels always pass. Working orders that would open or add to a position are cancelled, and resuming does not bring them back; those that only reduce stay at their venue.',
      REDUCING:
        'Let only orders through that reduce a position, until somebody resumes? Working orders that would open or add to a position are cancelled, and resuming does not bring them back.',
      ACTIVE: 'Resume trading? Orders of people and of running strategies are let through again.',
    },
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

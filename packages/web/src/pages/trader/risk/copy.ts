import { formatNumber } from '#format/number.ts'
import type { LimitName } from './limits.ts'

const FIELDS: Readonly<Record<LimitName, string>> = {
  max_order_size: 'Max Order Size',
  max_position_size: 'Max Position Size',
  max_daily_loss: 'Max Daily Loss',
  max_positions: 'Max Positions',
}

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
    serviceStopped: 'Risk Service is stopped.',
    startService: 'Start it',
  },
  unknown: '—',
  limits: {
    title: 'Risk Limits',
    fields: FIELDS,
    isDefault: 'default',
    notLoaded: 'not loaded',
    edit: 'Edit Limits',
    these: 'the risk limits',
    save: 'Save',
    cancel: 'Cancel',
    question: (stopping: readonly LimitName[], growing: readonly { name: LimitName; times: number }[]) => {
      const sentences = [
        ...stopping.map((name) => ZERO_LIMITS[name]),
        ...growing.map(
          ({ name, times }) => `${FIELDS[name]} is ${timesText(times)} times the current value.`,
        ),
      ]
      return `${sentences.join(' ')} Save?`
    },
    unknown: 'No answer. The limits may have been saved; check them before saving again.',
  },
  trading: {
    title: 'Trading State',
    states: {
      ACTIVE: 'Active: orders are checked against the limits.',
      REDUCING: 'Reduce-only: orders that open or add are blocked.',
      HALTED: 'Halted: all orders are blocked.',
    },
    unchecked: 'Active, but orders are not checked against the limits: Risk Management is off.',
    stoppedGates: (names: string) => `Active, but some orders are refused. Not running: ${names}.`,
    since: (time: string) => `Since ${time}.`,
    actions: { HALTED: 'Halt Trading', REDUCING: 'Reduce Only', ACTIVE: 'Resume Trading' },
    confirmations: {
      HALTED: {
        question: 'Halt trading?',
        detail:
          'All orders are blocked until trading is resumed. Close is refused too; to close positions, choose Reduce Only instead. Cancels still work. Working orders that would open or add to a position are cancelled, and resuming does not restore them; orders that only reduce stay at their venue.',
      },
      REDUCING: {
        question: 'Switch to reduce-only?',
        detail:
          'Only orders that reduce a position are accepted until trading is resumed. Working orders that would open or add to a position are cancelled, and resuming does not restore them.',
      },
      ACTIVE: {
        question: 'Resume trading?',
        detail: 'Manual and strategy orders will be accepted again.',
      },
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
    frozen: {
      title: 'Risk figures are frozen',
      text: 'They are from before a component was stopped and raise no new alert.',
    },
    normal: {
      title: 'All Systems Normal',
      text: 'Risk metrics are within acceptable ranges.',
    },
  },
}

/** What a limit of 0 does. */
const ZERO_LIMITS: Readonly<Record<LimitName, string>> = {
  max_order_size: 'Max Order Size 0 refuses every order.',
  max_position_size: 'Max Position Size 0 refuses every order that opens or adds to a position.',
  max_daily_loss: 'Max Daily Loss 0 switches to reduce-only as soon as the day shows no gain.',
  max_positions: 'Max Positions 0 refuses every order that opens a position.',
}

function timesText(times: number): string {
  return formatNumber(times, 0, 1)
}

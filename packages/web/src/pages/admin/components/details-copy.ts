import { formatQuantity } from '#format/money.ts'
import { formatInstant } from '#format/time.ts'

/** The texts that the figures of live components add. */
export const details = {
  lastHour: 'last hour',
  columns: {
    name: 'Name',
    status: 'Status',
    uptime: 'Uptime',
    throughput: 'Throughput',
    now: 'Now',
    queue: 'Queue',
    lastError: 'Last error',
    actions: 'Actions',
  },
  rate: (value: number, unit: string) => `${formatQuantity(Math.round(value * 10) / 10)} ${unit}`,
  error: ({ at, text }: { at?: string | undefined; text: string }) =>
    at === undefined ? text : `${formatInstant(at)}: ${text}`,
  noError: 'none',
  of: (name: string) => `History of ${name}`,
  history: 'State history',
  noHistory: 'Its status was never changed.',
  versions: 'Configuration versions',
  noSettings: 'It has no settings.',
  current: (version: number) => `${version}, now`,
  delivered: 'as delivered',
  by: (who: string) => `by ${who}`,
  flow: {
    title: 'How work flows',
    scope: 'the chosen one is marked',
    venues: 'Venues',
    inputs: 'ticks, reports',
    orders: 'orders',
    strategies: 'Strategies',
    running: (count: number) => `${count} running`,
    screens: 'Screens',
    outputs: 'reply, stream',
    note: 'Orders leave for the venues only after the journal has them.',
  },
  revert: 'Revert',
  revertTo: (version: number) => `Revert to version ${version}`,
} as const

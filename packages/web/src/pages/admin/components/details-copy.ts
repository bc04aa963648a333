import { formatQuantity } from '#format/money.ts'
import { formatInstant } from '#format/time.ts'

/** The texts that the figures of live components add. */
export const details = {
  figures: 'Throughput, queue and errors',
  lastHour: 'last hour',
  columns: [
    { title: 'Name' },
    { title: 'Throughput' },
    { title: 'Now', align: 'end' },
    { title: 'Queue', align: 'end' },
    { title: 'Last error' },
  ],
  rate: (value: number, unit: string) => `${formatQuantity(Math.round(value * 10) / 10)} ${unit}`,
  error: ({ at, text }: { at?: string | undefined; text: string }) =>
    at === undefined ? text : `${formatInstant(at)}: ${text}`,
  noError: 'None recorded.',
  of: (name: string) => `History of ${name}`,
  component: 'Component',
  history: 'State history',
  noHistory: 'Its status was never changed.',
  versions: 'Configuration versions',
  noSettings: 'It has no settings.',
  current: (version: number) => `${version}, now`,
  delivered: 'as delivered',
  by: (who: string) => `by ${who}`,
  revert: 'Revert',
  revertTo: (version: number) => `Revert to version ${version}`,
} as const

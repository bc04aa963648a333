import type { Backtest } from '@binnacle/contract'
import type { Tone } from '#ui/look/tone.ts'
import { copy } from './copy.ts'

/** The first digits, which are enough to tell two apart by eye. */
export function shortHash(hash: string): string {
  return hash.slice(0, 8)
}

const TONES = new Map<string, Tone>([
  ['completed', 'good'],
  ['running', 'info'],
  ['failed', 'bad'],
  ['interrupted', 'warn'],
])

export function toneOfRun(status: string): Tone {
  return TONES.get(status) ?? 'calm'
}

const STATUSES: Readonly<Record<string, string>> = copy.runs.statuses

export function statusText(status: string): string {
  return STATUSES[status] ?? status
}

/** What was run: strategy, instruments, interval. */
export function describeRun({ request }: Pick<Backtest, 'request'>): string {
  const { type, config } = request.strategy
  const traded = request.instruments ?? request.instrument ?? config.instruments ?? config.instrument
  const names = Array.isArray(traded) ? traded.join(', ') : typeof traded === 'string' ? traded : ''
  return [type.replaceAll('_', ' '), names, request.interval].filter(Boolean).join(' ')
}

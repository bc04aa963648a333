import type { Strategy } from '@binnacle/contract'
import type { Tone } from '#ui/look/tone.ts'

/** STRAT-3: green says running and nothing else. */
export function toneOfStatus(status: string): Tone {
  if (status === 'running') return 'good'
  return status === 'error' ? 'bad' : 'calm'
}

/** STRAT-4: whatever is not known to be stopped can be stopped. */
export function canStart({ status }: Pick<Strategy, 'status'>): boolean {
  return status === 'stopped'
}

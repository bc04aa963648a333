import type { Strategy } from '@binnacle/contract'
import type { Tone } from '#ui/look/tone.ts'

/** STRAT-3: only 'running' is green. */
export function toneOfStatus(status: string): Tone {
  if (status === 'running') return 'good'
  return status === 'error' ? 'bad' : 'calm'
}

/** STRAT-4: every other status offers Stop. */
export function canStart({ status }: Pick<Strategy, 'status'>): boolean {
  return status === 'stopped'
}

/** STRAT-31: beside Stop, which the specification gives to every status but 'stopped'. */
export function canRetry({ status }: Pick<Strategy, 'status'>): boolean {
  return status === 'error'
}

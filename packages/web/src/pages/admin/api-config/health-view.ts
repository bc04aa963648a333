import type { ProbedHealth } from '#data/api-services/probes.ts'
import type { Tone } from '#ui/look/tone.ts'
import { copy } from './copy.ts'

const tones: Record<ProbedHealth['status'], Tone> = {
  checking: 'calm',
  healthy: 'good',
  unhealthy: 'bad',
  unknown: 'warn',
}

export function toneOfHealth({ status }: ProbedHealth): Tone {
  return tones[status]
}

/** What stands beside the badge: how fast a healthy service answered, or why another one is not healthy. */
export function healthDetail({ status, error, response_time: ms }: ProbedHealth): string | undefined {
  if (status === 'healthy') return typeof ms === 'number' ? copy.milliseconds(ms) : undefined
  if (status === 'checking') return undefined
  return error || (status === 'unhealthy' ? copy.connectionFailed : undefined)
}

import { monitoring } from '@binnacle/contract'
import { call } from '#data/client.ts'
import type { LiveMonitoring } from './controls.ts'

/** The figures that the server measures of itself. */
export function createLiveMonitoring(): LiveMonitoring {
  return { kind: 'live', read: () => call(monitoring.read, {}) }
}

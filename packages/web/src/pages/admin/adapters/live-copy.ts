import type { Adapter, AdapterConfig, AdapterTest } from '@binnacle/contract'

/** The texts that the live screen adds to the specified ones. */
export const live = {
  lastHour: 'last hour',
  columns: {
    adapter: 'Adapter',
    state: 'State',
    lastMessage: 'Last message',
    latency: 'Latency, ms',
    p50: 'p50',
    p95: 'p95',
    reconnects: 'Reconnects',
    instruments: 'Instruments',
    actions: 'Actions',
  },
  connected: (count: number) => `${count} connected`,
  disconnected: (count: number) => `${count} disconnected`,
  select: (name: string) => `Show ${name}`,
  never: 'never',
  noData: 'no data yet',
  perSecond: (rate: number) => `${rate.toFixed(rate < 10 ? 1 : 0)}/s`,
  confirmDisconnect: (name: string) => `Disconnect ${name}?`,
  disconnect: 'Disconnect',
  workingOrders: (count: number) =>
    count === 0
      ? 'No order works there.'
      : `${count} working ${count === 1 ? 'order is' : 'orders are'} cancelled:`,
  remainingOrders: (count: number) =>
    count === 0
      ? 'No order works there.'
      : `${count} working ${count === 1 ? 'order stays' : 'orders stay'} at the venue and cannot be cancelled until it is connected again:`,
  positions: (count: number) =>
    count === 0
      ? 'No position is open there.'
      : `${count} open ${count === 1 ? 'position stays' : 'positions stay'} and cannot be closed until it is connected again:`,
  more: (count: number) => `and ${count} more`,
  stale: 'Prices of its instruments stop. Orders and positions are reconciled with the next connection.',
  notYet: (name: string) => `${name} is not connected yet; it tries again by itself`,
  unconfirmed: (name: string) => `${name} has not confirmed yet`,
  testFailed: (name: string, steps: string) => `${name} connection test failed: ${steps}`,
  testOf: (name: string) => `Test of ${name}`,
  noTest: 'Not tested since the server started. Test changes nothing.',
  testedBy: ({ by }: AdapterTest) => `by ${by}`,
  passed: 'passed',
  failed: 'failed',
  history: (name: string) => `Latency of ${name} over time`,
  historySentence: (name: string, last: string) => `Median round trip to ${name} over time; last ${last}`,
  noHistory: 'Nothing was recorded in this time.',
  range: 'Time shown',
  ms: (value: number) => `${Math.round(value)} ms`,
  histograms: 'Latency of each venue',
  histogramScope: 'round trips by milliseconds, last hour',
  histogram: (name: string, count: number) => `${name}: ${count} round trips`,
  configOf: (name: string) => `Configuration of ${name}`,
  version: ({ version, changed_by }: AdapterConfig) =>
    version === 0 ? 'as delivered' : `version ${version}, by ${changed_by ?? '—'}`,
  configuredByNode: "A node's own configuration decides about this adapter. Change it where the node runs.",
  apiKey: 'API key',
  secret: 'Secret',
  stored: 'stored',
  notStored: 'none',
  credentials: 'Encrypted at rest and never shown again. Leave empty to keep.',
  removeCredentials: 'Remove stored credentials',
  reconnectAfter: 'Reconnect after, s',
  reconnectMax: 'Longest wait, s',
  reconnectHint: 'The wait doubles with every try, up to the longest.',
  faults: 'Faults of the simulated venue',
  faultsHint: 'Each makes its step of Test fail.',
  latency: 'Extra latency per message, ms',
  skew: 'Clock skew, ms',
  wrongKey: 'Wrong key',
  dropped: 'Dropped connection',
  missing: (id: string) => `Missing symbol ${id}`,
  number: (least: number, most: number) => `Enter a whole number from ${least} to ${most}.`,
  tooSmall: 'Must not be below the first wait.',
  save: 'Save',
  cancel: 'Cancel',
  happened: (name: string) => `${name}: what happened`,
  nothing: 'Nothing since the engine started.',
  report: 'Each adapter',
  problems: (count: number, all: number) => `${count} of ${all} adapters need attention`,
} as const

/** The words for the result of a step. */
export const RESULTS: Readonly<Record<string, string>> = {
  passed: 'passed',
  failed: 'failed',
  'not-applicable': 'not applicable',
  'not-run': 'not run',
}

/** Below the badge: why it is in this state. */
export function stateNote({ state, tries, next_try_at, clock_skew_ms }: Adapter, now: number): string {
  if (state === 'connecting') return 'connecting'
  if (state === 'waiting') {
    const inS =
      next_try_at === undefined ? 0 : Math.max(0, Math.ceil((Date.parse(next_try_at) - now) / 1_000))
    return `back-off, try ${(tries ?? 0) + 1} in ${inS} s`
  }
  if (state === 'off') return 'switched off'
  return clock_skew_ms === undefined ? '' : `skew ${signOf(clock_skew_ms)}${Math.abs(clock_skew_ms)} ms`
}

function signOf(value: number): string {
  if (value === 0) return ''
  return value < 0 ? '-' : '+'
}

import * as z from 'zod'
import { orJob } from '#admin/jobs.ts'
import { tradingEndpoint } from '#endpoint.ts'
import { object, strictObject } from '#object.ts'
import { ifGiven, PathId } from '#shared.ts'

export const MAX_RECONNECT_S = 600
export const MAX_FAULT_LATENCY_MS = 2_000
export const MAX_FAULT_SKEW_MS = 60_000

const seconds = z.number().int().min(1).max(MAX_RECONNECT_S)

/** Faults that a simulated venue injects, so that every step of a test can be seen failing. */
const faults = {
  latency_ms: z.number().int().min(0).max(MAX_FAULT_LATENCY_MS).describe('Added to every message, each way'),
  clock_skew_ms: z.number().int().min(-MAX_FAULT_SKEW_MS).max(MAX_FAULT_SKEW_MS),
  wrong_key: z.boolean().describe('The venue refuses the key; a new connection fails'),
  missing_symbols: z.array(z.string()).max(50).describe('Instruments that the venue does not list'),
  dropped: z.boolean().describe('The connection is lost, and new ones are refused'),
}

/** Credentials are write-only: a reply says only whether they are stored. */
export const AdapterConfig = object(() => ({
  version: z.number().describe('Counts the changes; 0 as delivered'),
  has_api_key: z.boolean(),
  has_secret: z.boolean(),
  reconnect_after_s: z.number(),
  reconnect_max_s: z.number(),
  faults: z.object(faults),
  changed_at: ifGiven(z.string()),
  changed_by: ifGiven(z.string()),
})).meta({ id: 'AdapterConfig' })
export type AdapterConfig = z.output<typeof AdapterConfig>

const NewAdapterConfig = strictObject(() => ({
  version: z.number().int().min(0).describe('The version that was edited; another one is refused with 412'),
  api_key: z.string().max(1_000).optional().describe('Left out: unchanged. Empty: removed'),
  secret: z.string().max(1_000).optional().describe('Left out: unchanged. Empty: removed'),
  reconnect_after_s: seconds.describe('The wait before the first new try; it doubles with every try'),
  reconnect_max_s: seconds.describe('The longest wait'),
  faults: z.strictObject(faults),
}))
export type NewAdapterConfig = z.output<typeof NewAdapterConfig>

export const AdapterTestStep = object(() => ({
  name: z.string(),
  result: z.string().describe('passed, failed, not-applicable or not-run'),
  detail: z.string(),
  ms: z.number().nullish(),
})).meta({ id: 'AdapterTestStep' })
export type AdapterTestStep = z.output<typeof AdapterTestStep>

export const AdapterTest = object(() => ({
  at: z.string(),
  by: z.string(),
  passed: z.boolean().describe('No step failed'),
  steps: z.array(AdapterTestStep),
})).meta({ id: 'AdapterTest' })
export type AdapterTest = z.output<typeof AdapterTest>

/** An adapter with figures since the start of the engine; absent while the engine cannot say. */
export const Adapter = object(() => ({
  id: z.string(),
  name: z.string(),
  type: z.string(),
  status: z.string().describe('connected or disconnected'),
  mode: z.string().describe('simulated or live'),
  state: ifGiven(z.string()).describe('off, connecting, connected, or waiting for the next try'),
  tries: ifGiven(z.number()),
  next_try_at: ifGiven(z.string()),
  reconnects: ifGiven(z.number()),
  last_message_at: ifGiven(z.string()),
  messages_per_second: ifGiven(z.number()),
  clock_skew_ms: ifGiven(z.number()),
  latency: ifGiven(
    z.object({
      p50: z.number().nullable(),
      p95: z.number().nullable(),
      minutes: z.array(z.number().nullable()).describe('The median of each of the last 60 minutes'),
      series: ifGiven(z.string()).describe('Its course in GET /api/samples: the median of each minute'),
      histogram: z.array(z.number()).describe('20 steps of 10 ms, and one for all that took longer'),
    }),
  ).describe('Round trips of the last hour, in milliseconds'),
  instruments: z.array(z.string()),
  working_orders: z.array(
    z.object({ id: z.string(), instrument: z.string(), side: z.string(), quantity: z.number() }),
  ),
  positions: z.array(
    z.object({ id: z.string(), instrument: z.string(), side: z.string(), quantity: z.number() }),
  ),
  log: z.array(z.object({ at: z.string(), text: z.string() })).describe('Newest first'),
  keeps_orders: ifGiven(z.boolean()).describe('Its working orders stay while it is disconnected'),
  config: ifGiven(AdapterConfig).describe('Absent where the console does not configure it'),
  last_test: ifGiven(AdapterTest),
})).meta({ id: 'Adapter' })
export type Adapter = z.output<typeof Adapter>

/** What became of one adapter in a change or test of all. */
export const AdapterResult = object(() => ({
  id: z.string(),
  name: z.string(),
  ok: z.boolean(),
  message: z.string(),
})).meta({ id: 'AdapterResult' })
export type AdapterResult = z.output<typeof AdapterResult>

const origin = { capability: 'adapters' } as const
const params = strictObject(() => ({ adapter_id: PathId }))
const report = orJob(object(() => ({ results: z.array(AdapterResult) })))

/** The adapters of venues. Bulk actions are jobs with a report. */
export const adapters = {
  list: tradingEndpoint('GET /api/adapters', {
    summary: 'The adapters of venues with their figures, orders and positions',
    role: 'viewer',
    origin,
    reply: object(() => ({ adapters: z.array(Adapter) })),
  }),
  connect: tradingEndpoint('POST /api/adapters/:adapter_id/connect', {
    summary: 'Connect an adapter; it reconnects by itself until it is disconnected',
    role: 'admin',
    origin,
    params,
    reply: Adapter,
  }),
  disconnect: tradingEndpoint('POST /api/adapters/:adapter_id/disconnect', {
    summary: 'Disconnect an adapter; its working orders are cancelled first, unless it keeps them',
    role: 'admin',
    origin,
    params,
    reply: Adapter,
  }),
  test: tradingEndpoint('POST /api/adapters/:adapter_id/test', {
    summary: 'Test an adapter step by step; it changes nothing',
    role: 'admin',
    origin,
    params,
    reply: orJob(AdapterTest),
  }),
  configure: tradingEndpoint('PUT /api/adapters/:adapter_id/config', {
    summary: 'Change the configuration of an adapter; credentials are stored encrypted and never returned',
    role: 'admin',
    origin,
    params,
    body: NewAdapterConfig,
    reply: Adapter,
  }),
  connectAll: tradingEndpoint('POST /api/adapters/connect-all', {
    summary: 'Connect all adapters',
    role: 'admin',
    origin,
    reply: report,
  }),
  disconnectAll: tradingEndpoint('POST /api/adapters/disconnect-all', {
    summary: 'Disconnect all adapters',
    role: 'admin',
    origin,
    reply: report,
  }),
  testAll: tradingEndpoint('POST /api/adapters/test-all', {
    summary: 'Test all adapters',
    role: 'admin',
    origin,
    reply: report,
  }),
}

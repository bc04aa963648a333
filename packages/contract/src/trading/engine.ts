import * as z from 'zod'
import { tradingEndpoint } from '#endpoint.ts'
import { object, strictObject } from '#object.ts'
import { AS_OF, Done, ifGiven, TolerantBoolean } from '#shared.ts'
import { Component } from './components.ts'

export const EngineCounts = object(() => ({
  running_strategies: z.number(),
  working_orders: z.number(),
  open_positions: z.number(),
})).meta({ id: 'EngineCounts' })
export type EngineCounts = z.output<typeof EngineCounts>

export const EngineInfo = object(() => ({
  trader_id: z.string(),
  engine_type: z.string(),
  status: z.string(),
  is_running: TolerantBoolean,
  read_only_reason: ifGiven(z.string()).describe('Why an engine that runs takes no commands of this console'),
  strategies_count: z.number(),
  instance_id: ifGiven(z.string()).describe('A new one for every start of the server'),
  started_at: ifGiven(z.string()).describe('When the server was started'),
  account: ifGiven(z.string()).describe("The account that orders trade for: 'live' or 'paper'"),
  features: ifGiven(z.record(z.string(), z.boolean())).describe('Whether each feature flag is on, by its id'),
  services: ifGiven(z.record(z.string(), z.string())).describe('The status of each service, by its id'),
  counts: ifGiven(EngineCounts).describe('What runs, works and is open now'),
  ...AS_OF,
})).meta({ id: 'EngineInfo' })
export type EngineInfo = z.output<typeof EngineInfo>

export const HistoryProgress = object(() => ({
  done: z.boolean(),
  days: z.number().describe('Days of market history available'),
  of: z.number().describe('Days in total'),
})).meta({ id: 'HistoryProgress' })
export type HistoryProgress = z.output<typeof HistoryProgress>

export const SystemInfo = object(() => ({
  components: z.array(Component).nullish().describe('Optional; the dashboard works without it'),
  history: ifGiven(HistoryProgress),
})).meta({ id: 'SystemInfo' })
export type SystemInfo = z.output<typeof SystemInfo>

export const engine = {
  info: tradingEndpoint('GET /api/engine/info', {
    summary: 'Identity and status of the engine',
    role: 'viewer',
    reply: EngineInfo,
  }),
  nautilusInfo: tradingEndpoint('GET /api/nautilus/engine/info', {
    summary: 'The same as /api/engine/info',
    role: 'viewer',
    origin: 'documented',
    reply: EngineInfo,
  }),
  systemInfo: tradingEndpoint('GET /api/nautilus/system-info', {
    summary: 'The engine and its components',
    role: 'viewer',
    reply: SystemInfo,
  }),
  initialize: tradingEndpoint('POST /api/nautilus/initialize', {
    summary: 'Start the engine if it is not running',
    role: 'admin',
    body: strictObject(() => ({})),
    reply: Done,
  }),
}

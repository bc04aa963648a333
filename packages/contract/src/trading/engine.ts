import * as z from 'zod'
import { endpoint } from '#endpoint.ts'
import { Done, ifGiven, Truth } from '#shared.ts'
import { Component } from './components.ts'

export const EngineInfo = z
  .object({
    trader_id: z.string(),
    engine_type: z.string(),
    status: z.string(),
    is_running: Truth,
    strategies_count: z.number(),
  })
  .meta({ id: 'EngineInfo' })
export type EngineInfo = z.output<typeof EngineInfo>

export const HistoryProgress = z
  .object({
    done: z.boolean(),
    days: z.number().describe('Days of market history that are there'),
    of: z.number().describe('Days that there will be'),
  })
  .meta({ id: 'HistoryProgress' })
export type HistoryProgress = z.output<typeof HistoryProgress>

export const SystemInfo = z
  .object({
    components: z.array(Component).nullish().describe('May be absent: the dashboard stands without it'),
    history: ifGiven(HistoryProgress),
  })
  .meta({ id: 'SystemInfo' })
export type SystemInfo = z.output<typeof SystemInfo>

export const engine = {
  info: endpoint('GET /api/engine/info', {
    summary: 'Who the engine is and whether it runs',
    role: 'viewer',
    reply: EngineInfo,
  }),
  nautilusInfo: endpoint('GET /api/nautilus/engine/info', {
    summary: 'The same as /api/engine/info',
    role: 'viewer',
    origin: 'documented',
    reply: EngineInfo,
  }),
  systemInfo: endpoint('GET /api/nautilus/system-info', {
    summary: 'The engine and its components',
    role: 'viewer',
    reply: SystemInfo,
  }),
  initialize: endpoint('POST /api/nautilus/initialize', {
    summary: 'Bring the engine up if it is not; a running engine is left as it is',
    role: 'admin',
    body: z.strictObject({}),
    reply: Done,
  }),
}

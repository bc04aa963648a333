import * as z from 'zod'
import { adminEndpoint, tradingEndpoint } from '#endpoint.ts'
import { object, strictObject } from '#object.ts'

const Bytes = z.number().describe('In bytes')
const Percent = z.number().describe('0 to 100')

export const RouteLatency = object(() => ({
  method: z.string(),
  path: z.string().describe('As the call is declared; site for the files of the console'),
  replies: z.number().describe('Of the last hour'),
  per_second: z.number(),
  p50_ms: z.number(),
  p95_ms: z.number(),
  p99_ms: z.number(),
  errors: z.number().describe('Replies with a status of 500 and above'),
})).meta({ id: 'RouteLatency' })
export type RouteLatency = z.output<typeof RouteLatency>

export const MeasuredRate = object(() => ({
  name: z.string(),
  unit: z.string(),
  per_second: z.number(),
  series: z.string().describe('Its name in GET /api/samples'),
})).meta({ id: 'MeasuredRate' })
export type MeasuredRate = z.output<typeof MeasuredRate>

export const StoreSize = object(() => ({ name: z.string(), detail: z.string(), bytes: Bytes })).meta({
  id: 'StoreSize',
})
export type StoreSize = z.output<typeof StoreSize>

/** One day of the uptime: the share of its minutes in which the server ran. */
export const UptimeDay = object(() => ({
  date: z.string(),
  percent: Percent,
  down_minutes: z.number(),
})).meta({ id: 'UptimeDay' })
export type UptimeDay = z.output<typeof UptimeDay>

export const Monitoring = object(() => ({
  as_of: z.string(),
  started_at: z.string(),
  cpu: z.object({
    process_percent: Percent.describe('Of all processors together'),
    machine_percent: Percent,
    cores: z.number(),
  }),
  memory: z.object({
    resident: Bytes.describe('Of the server process'),
    heap_used: Bytes.describe('Of the API thread'),
    machine_used: Bytes,
    machine_total: Bytes,
  }),
  requests: z.object({
    per_second: z.number().describe('In the last second'),
    error_percent: Percent.describe('Of the last hour: replies with a status of 500 and above'),
    open: z.number().describe('Requests that wait for their reply'),
  }),
  uptime: z.object({
    percent: Percent.nullable().describe(
      'Of the minutes since the first record, at most 30 days; null before the first',
    ),
    days: z.array(UptimeDay).describe('Oldest first, from the first record on'),
  }),
  loop_delay: z
    .object({ p50_ms: z.number(), p99_ms: z.number(), max_ms: z.number() })
    .describe('Of the API thread in the last second'),
  routes: z.array(RouteLatency).describe('Of the last hour, the most frequent first'),
  rates: z.array(MeasuredRate),
  stores: z.array(StoreSize).describe('Measured once a minute'),
  disk: z.object({ free: Bytes, total: Bytes }).nullable(),
})).meta({ id: 'Monitoring' })
export type Monitoring = z.output<typeof Monitoring>

/** The names of the recorded series that the Monitoring screen draws. */
export const MONITORING_SERIES = {
  cpu: 'cpu.process',
  machineCpu: 'cpu.machine',
  memory: 'memory.resident',
  requests: 'requests',
  loopDelay: 'loop.delay',
} as const

export const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal'] as const
export type LogLevel = (typeof LOG_LEVELS)[number]

/** Lines that the server holds for this call and for the first frame of the stream's topic. */
export const LOG_LINES_MAX = 2000

export const LogLine = object(() => ({
  id: z.int().describe('Counts up within one run of the server'),
  at: z.string(),
  level: z.enum(LOG_LEVELS),
  event: z.string(),
  text: z.string(),
  request_id: z.string().nullable().describe('Also of the audit record: see GET /api/admin/audit-logs'),
})).meta({ id: 'LogLine' })
export type LogLine = z.output<typeof LogLine>

const LevelFilter = z.enum(LOG_LEVELS).describe('This level and those above it')

export const monitoring = {
  read: adminEndpoint('GET /api/admin/monitoring', {
    summary: 'Measured figures: processor, memory, requests, latency per route, rates, sizes, uptime',
    role: 'viewer',
    origin: { capability: 'monitoring' },
    reply: Monitoring,
  }),
  logs: adminEndpoint('GET /api/admin/logs', {
    summary: 'The latest log lines, oldest first; further ones arrive on the stream (topic logs)',
    role: 'admin',
    origin: { capability: 'monitoring' },
    query: strictObject(() => ({
      level: LevelFilter.optional(),
      text: z.string().max(200).optional().describe('Part of the line, in any case'),
      limit: z.coerce.number<number>().int().min(1).max(LOG_LINES_MAX).default(500),
    })),
    reply: object(() => ({ lines: z.array(LogLine) })),
  }),
  logFile: adminEndpoint('GET /api/admin/logs/download', {
    summary: 'The log files as one file, oldest line first',
    role: 'admin',
    origin: { capability: 'monitoring' },
    produces: ['application/x-ndjson'],
    reply: z.string(),
  }),
  supportBundle: adminEndpoint('GET /api/admin/reports/support-bundle', {
    summary:
      'Figures, settings, jobs and logs for support as one .tar.gz file, without secrets; removed.txt lists what was removed',
    role: 'admin',
    origin: { capability: 'monitoring' },
    produces: ['application/gzip'],
    reply: z.string(),
  }),
  dailyReport: adminEndpoint('GET /api/admin/reports/daily', {
    summary: 'The report of one day (UTC): result, risk, orders, events and the server’s own figures',
    role: 'viewer',
    origin: { capability: 'monitoring' },
    query: strictObject(() => ({
      date: z.iso.date({ error: 'must be a date such as 2026-03-31' }),
      format: z.enum(['html', 'csv']).default('html'),
    })),
    produces: ['text/html', 'text/csv'],
    reply: z.string(),
  }),
}

export const metrics = {
  read: tradingEndpoint('GET /metrics', {
    summary: 'The measured figures in the text format of Prometheus',
    role: 'viewer',
    origin: { capability: 'monitoring' },
    produces: ['text/plain'],
    reply: z.string(),
  }),
}

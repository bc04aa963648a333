import * as z from 'zod'
import { tradingEndpoint } from '#endpoint.ts'
import { object, strictObject } from '#object.ts'
import { ById, Done, Id, ifGiven } from '#shared.ts'
import { lineUpTo } from '#text.ts'

const OURS = { capability: 'alerts' } as const

/** What a rule can watch. Each is one figure per subject, so that one evaluator serves them all. */
export const ALERT_WATCHES = [
  'price',
  'pnl',
  'drawdown',
  'margin',
  'exposure',
  'refusals',
  'staleness',
  'component',
  'adapter',
  'job',
  'task',
  'disk',
  'engine',
] as const
export type AlertWatch = (typeof ALERT_WATCHES)[number]

export const ALERT_SEVERITIES = ['info', 'warning', 'critical'] as const
export type AlertSeverity = (typeof ALERT_SEVERITIES)[number]

/** In-app and browser need an open tab; the others are channels of the settings. */
export const ALERT_CHANNELS = ['in-app', 'browser', 'email', 'slack', 'sms'] as const
export type AlertChannel = (typeof ALERT_CHANNELS)[number]

export const ALERT_STATES = ['open', 'acknowledged', 'resolved'] as const
export type AlertState = (typeof ALERT_STATES)[number]

/** Failures of jobs, tasks and orders are counted over the rule's window; states are watched as they are. */
export const COUNTED_WATCHES: readonly AlertWatch[] = ['refusals', 'job', 'task']
/** A state is wrong or it is not: these rules have no threshold of their own. */
export const STATE_WATCHES: readonly AlertWatch[] = ['component', 'adapter']

const Time = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'must be a time such as 22:00')

const MUTE_FIELDS = {
  days: z.array(z.int().min(0).max(6)).min(1).max(7).describe('0 is Sunday, in UTC'),
  from: Time,
  to: Time.describe('Exclusive. Not after from: it ends on the next day'),
}

export const MuteWindow = z.object(MUTE_FIELDS).meta({ id: 'MuteWindow' })
export type MuteWindow = z.output<typeof MuteWindow>

const MAX_MUTE_WINDOWS = 5
const DAY_S = 86_400
const threshold = z.number().min(-1e12).max(1e12)

export const AlertRuleInput = strictObject(() => ({
  name: lineUpTo(80),
  is_enabled: z.boolean().default(true),
  watch: z.enum(ALERT_WATCHES),
  subject: lineUpTo(60)
    .nullable()
    .default(null)
    .describe(
      'An instrument (price, staleness), a strategy (pnl), a component or an adapter; null: the account, or each',
    ),
  direction: z.enum(['above', 'below']).default('above'),
  threshold: threshold.describe('Fires beyond it. In the unit of what is watched: see the guide'),
  clear: threshold.describe('Clears on its other side: the gap keeps a figure near the threshold quiet'),
  window_s: z.int().min(1).max(DAY_S).default(300).describe('For refusals, job and task: counted over it'),
  cooldown_s: z
    .int()
    .min(0)
    .max(7 * DAY_S)
    .default(900)
    .describe('The least time between two alerts'),
  severity: z.enum(ALERT_SEVERITIES).default('warning'),
  escalate_after_s: z
    .int()
    .min(60)
    .max(7 * DAY_S)
    .nullable()
    .default(null)
    .describe('An alert that nobody acknowledged for so long becomes critical and is sent again'),
  channels: z.array(z.enum(ALERT_CHANNELS)).min(1).max(ALERT_CHANNELS.length).default(['in-app']),
  mute: z
    .array(z.strictObject(MUTE_FIELDS).meta({ id: 'NewMuteWindow' }))
    .max(MAX_MUTE_WINDOWS)
    .default([]),
})).meta({ id: 'AlertRuleInput' })
export type AlertRuleInput = z.output<typeof AlertRuleInput>

export const AlertRule = object(() => ({
  ...AlertRuleInput.shape,
  mute: z.array(MuteWindow).default([]),
  id: Id,
  version: z.int().describe('Rises with every change'),
  last_fired_at: z.string().nullish(),
  is_muted: ifGiven(z.boolean()).describe('Now, by a window of its own or by Mute for'),
  series: z.string().nullish().describe('The samples that record what it watches'),
  value: z.number().nullish().describe('The figure now, where there is one'),
})).meta({ id: 'AlertRule' })
export type AlertRule = z.output<typeof AlertRule>

export const AlertDelivery = object(() => ({
  channel: z.string(),
  state: z.enum(['pending', 'delivered', 'failed']),
  tries: z.number(),
  at: z.string().describe('The time of the last try, or of the alert'),
  next_try_at: z.string().nullish(),
  error: z.string().nullish(),
})).meta({ id: 'AlertDelivery' })
export type AlertDelivery = z.output<typeof AlertDelivery>

export const Alert = object(() => ({
  id: Id,
  rule_id: Id.nullish().describe('Null once the rule is deleted'),
  watch: z.string(),
  subject: z.string(),
  title: z.string(),
  text: z.string(),
  severity: z.enum(ALERT_SEVERITIES),
  state: z.enum(ALERT_STATES),
  value: z.number(),
  raised_at: z.string(),
  acknowledged_at: z.string().nullish(),
  acknowledged_by: z.string().nullish(),
  resolved_at: z.string().nullish(),
  resolved_by: z.string().nullish().describe("'server' when the figure cleared"),
  snoozed_until: z.string().nullish(),
  escalated_at: z.string().nullish(),
  deliveries: z.array(AlertDelivery),
})).meta({ id: 'Alert' })
export type Alert = z.output<typeof Alert>

export const AlertSummary = object(() => ({
  open: z.number(),
  acknowledged: z.number(),
  resolved: z.number(),
  muted_until: z.string().nullable(),
  heartbeat_at: z.string().nullable().describe('The last sign of life of the engine'),
  alerts: z.array(Alert).describe('Open and acknowledged ones, newest first'),
})).meta({ id: 'AlertSummary' })
export type AlertSummary = z.output<typeof AlertSummary>

export const AlertChannelState = object(() => ({
  channel: z.enum(ALERT_CHANNELS),
  is_ready: z.boolean(),
  note: z.string().nullish().describe('Why it is not ready'),
  delivered_today: z.number(),
  last: AlertDelivery.nullable(),
})).meta({ id: 'AlertChannelState' })
export type AlertChannelState = z.output<typeof AlertChannelState>

export const ALERT_TEST_DAYS = [1, 7] as const

export const AlertTest = object(() => ({
  from: z.string(),
  to: z.string(),
  points: z.array(z.tuple([z.number(), z.number()])).describe('Time in seconds and the figure'),
  firings: z.array(z.object({ at: z.string(), value: z.number(), cleared_at: z.string().nullable() })),
  seconds_beyond: z.number(),
  longest_s: z.number(),
  note: z.string().nullable().describe('Why there is nothing to test with'),
})).meta({ id: 'AlertTest' })
export type AlertTest = z.output<typeof AlertTest>

export const Heartbeat = object(() => ({
  is_enabled: z.boolean(),
  host: z.string().nullable().describe('Of the address that is called; the address itself is secret'),
  every_s: z.number(),
  last_at: z.string().nullish(),
  last_error: z.string().nullish(),
})).meta({ id: 'Heartbeat' })
export type Heartbeat = z.output<typeof Heartbeat>

const HeartbeatChange = strictObject(() => ({
  is_enabled: z.boolean(),
  url: z
    .url({ protocol: /^https?$/ })
    .max(2000)
    .optional()
    .describe('Omitted: unchanged'),
  every_s: z.int().min(10).max(DAY_S),
})).meta({ id: 'HeartbeatChange' })
export type HeartbeatChange = z.output<typeof HeartbeatChange>

const SNOOZE_MAX_S = 7 * DAY_S
const seconds = z.int().min(0).max(SNOOZE_MAX_S)

export const alerts = {
  summary: tradingEndpoint('GET /api/alerts', {
    summary: 'Open and acknowledged alerts, and how many there are of each state',
    role: 'viewer',
    origin: OURS,
    reply: AlertSummary,
  }),
  resolved: tradingEndpoint('GET /api/alerts/resolved', {
    summary: 'Resolved alerts, newest first',
    role: 'viewer',
    origin: OURS,
    query: strictObject(() => ({ limit: z.coerce.number<number>().int().min(1).max(500).default(100) })),
    reply: object(() => ({ alerts: z.array(Alert) })),
  }),
  acknowledge: tradingEndpoint('POST /api/alerts/:id/acknowledge', {
    summary: 'Acknowledge an alert: it no longer escalates',
    role: 'trader',
    origin: OURS,
    params: ById,
    reply: Alert,
  }),
  resolve: tradingEndpoint('POST /api/alerts/:id/resolve', {
    summary: 'Resolve an alert',
    role: 'trader',
    origin: OURS,
    params: ById,
    reply: Alert,
  }),
  snooze: tradingEndpoint('POST /api/alerts/:id/snooze', {
    summary: 'Hide an alert for a while; it is sent again afterwards',
    role: 'trader',
    origin: OURS,
    params: ById,
    body: strictObject(() => ({ seconds: seconds.min(60) })),
    reply: Alert,
  }),
  shown: tradingEndpoint('POST /api/alerts/:id/shown', {
    summary: 'Report that a tab has shown the notification of an alert',
    role: 'trader',
    origin: OURS,
    params: ById,
    reply: Done,
  }),
  mute: tradingEndpoint('POST /api/alerts/mute', {
    summary: 'Raise no alerts for so long; what lasts longer is raised afterwards. 0 ends it',
    role: 'risk',
    origin: OURS,
    body: strictObject(() => ({ seconds })),
    reply: object(() => ({ muted_until: z.string().nullable() })),
  }),
  channels: tradingEndpoint('GET /api/alerts/channels', {
    summary: 'The channels and their last deliveries',
    role: 'viewer',
    origin: OURS,
    reply: object(() => ({ channels: z.array(AlertChannelState) })),
  }),
  sendTest: tradingEndpoint('POST /api/alerts/channels/test', {
    summary: 'Send a test message by every ready channel',
    role: 'risk',
    origin: OURS,
    acceptsKey: true,
    reply: Alert,
  }),
  rules: tradingEndpoint('GET /api/alerts/rules', {
    summary: 'The rules, and the subjects that a rule may name',
    role: 'viewer',
    origin: OURS,
    reply: object(() => ({
      rules: z.array(AlertRule),
      subjects: z.record(z.string(), z.array(z.string())).describe('By what is watched'),
    })),
  }),
  addRule: tradingEndpoint('POST /api/alerts/rules', {
    summary: 'Add a rule',
    role: 'risk',
    origin: OURS,
    acceptsKey: true,
    status: 201,
    body: AlertRuleInput,
    reply: AlertRule,
  }),
  changeRule: tradingEndpoint('PUT /api/alerts/rules/:id', {
    summary: 'Replace a rule',
    role: 'risk',
    origin: OURS,
    params: ById,
    body: AlertRuleInput,
    reply: AlertRule,
  }),
  removeRule: tradingEndpoint('DELETE /api/alerts/rules/:id', {
    summary: 'Delete a rule; its open alerts are resolved',
    role: 'risk',
    origin: OURS,
    params: ById,
    reply: Done,
  }),
  testRule: tradingEndpoint('POST /api/alerts/rules/test', {
    summary: 'Says when a rule would have fired on recorded data; nothing is saved',
    role: 'viewer',
    origin: OURS,
    body: strictObject(() => ({ rule: AlertRuleInput, days: z.literal(ALERT_TEST_DAYS).default(1) })),
    reply: AlertTest,
  }),
  heartbeat: tradingEndpoint('GET /api/alerts/heartbeat', {
    summary: 'The outside watcher that is called while the engine lives',
    role: 'viewer',
    origin: OURS,
    reply: Heartbeat,
  }),
  changeHeartbeat: tradingEndpoint('PUT /api/alerts/heartbeat', {
    summary: 'Set the outside watcher',
    role: 'admin',
    origin: OURS,
    body: HeartbeatChange,
    reply: Heartbeat,
  }),
}

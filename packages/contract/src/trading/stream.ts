import * as z from 'zod'
import { LogLine } from '#admin/monitoring.ts'
import type { Capability } from '#capability.ts'
import type { RequiredRole } from '#endpoint.ts'
import { object, strictObject } from '#object.ts'
import { Id, ifGiven } from '#shared.ts'
import { AlertSummary } from './alerts.ts'
import { Component } from './components.ts'
import { EngineInfo } from './engine.ts'
import { Fill } from './fills.ts'
import { CHART_INTERVALS, MarketBar, MarketBook, MarketTrade } from './market-data.ts'
import { Order } from './orders.ts'
import { Position } from './positions.ts'
import { Account, RiskMetrics, StoredRiskLimits, TradingState } from './risk.ts'
import { Strategy } from './strategies.ts'

/** The one WebSocket of the trading API. Text frames, each one JSON object. */
export const STREAM = {
  path: '/api/stream',
  role: 'viewer',
  capability: 'stream',
  summary:
    'Changes as they happen. The server opens with hello; subscribe names topics and, to resume, the last seq. Each topic begins with a snapshot unless the resume could be replayed.',
} as const satisfies { path: string; role: RequiredRole; capability: Capability; summary: string }

/** Bounds that both sides keep. */
export const STREAM_MESSAGE_MAX_BYTES = 16_384
export const STREAM_INSTRUMENTS_MAX = 100
/** Instruments per subscription to trades, bars and books. */
export const STREAM_MARKET_INSTRUMENTS_MAX = 20
/** Trades in one frame. */
export const STREAM_TRADES_MAX = 100
/** Log lines in one frame. */
export const STREAM_LOG_LINES_MAX = 500

/** Topics of market data are offered with the capability market-data, logs with monitoring; hello lists what this server has. */
export const STREAM_TOPICS = [
  'engine',
  'components',
  'strategies',
  'orders',
  'fills',
  'positions',
  'account',
  'risk',
  'trading-state',
  'quotes',
  'trades',
  'bars',
  'book',
  'alerts',
  'logs',
] as const
export type StreamTopic = (typeof STREAM_TOPICS)[number]
/** Topics whose clients choose instruments. */
export const STREAM_MARKET_TOPICS = ['trades', 'bars', 'book'] as const satisfies readonly StreamTopic[]
const Topic = z.enum(STREAM_TOPICS)

export const Quote = object(() => ({
  instrument: z.string(),
  bid: z.number(),
  ask: z.number(),
  last: ifGiven(z.number()).describe('The price of the latest trade, once there is one'),
  at: z.string().describe('The time of the quote at its venue'),
})).meta({ id: 'Quote' })
export type Quote = z.output<typeof Quote>

/** Rows of a list that changed, as they are now, and the ids of those that left the list. */
function rowsOf<Row extends z.ZodType>(row: Row) {
  return object(() => ({ changed: z.array(row), removed: z.array(Id) }))
}

const NextOrders = z.string().optional().describe('As in GET /api/orders')
const Components = object(() => ({ components: z.array(Component) }))
const Risk = object(() => ({ metrics: RiskMetrics, limits: StoredRiskLimits }))
const Quotes = object(() => ({ quotes: z.array(Quote) }))
const Trades = object(() => ({
  trades: z
    .array(MarketTrade)
    .describe(
      `Oldest first. A change has at most ${STREAM_TRADES_MAX}, the latest; a snapshot as many of each`,
    ),
}))
const Bars = object(() => ({
  bars: z
    .array(MarketBar)
    .describe('The latest bar of each instrument and interval, and those that ended since; same at replaces'),
}))
const Books = object(() => ({ books: z.array(MarketBook).describe('The latest per instrument') }))
const Fills = object(() => ({ fills: z.array(Fill) }))
const Logs = object(() => ({
  lines: z.array(LogLine).describe(`Oldest first, at most ${STREAM_LOG_LINES_MAX}, the latest`),
}))

/** The state of a topic, in the shape of the call that lists it. */
const SNAPSHOTS = {
  engine: EngineInfo,
  components: Components,
  strategies: object(() => ({ strategies: z.array(Strategy) })),
  orders: object(() => ({ orders: z.array(Order), next_cursor: NextOrders })),
  fills: Fills.describe('The latest ones'),
  positions: object(() => ({ positions: z.array(Position) })),
  account: Account,
  risk: Risk,
  'trading-state': TradingState,
  quotes: Quotes,
  trades: Trades,
  bars: Bars,
  book: Books,
  alerts: AlertSummary,
  logs: Logs,
} as const satisfies Record<StreamTopic, z.ZodType>

/** What changed in a topic. Rows are absolute, never differences. */
const CHANGES = {
  engine: EngineInfo,
  components: Components,
  strategies: rowsOf(Strategy),
  orders: rowsOf(Order).extend({ next_cursor: NextOrders }),
  fills: Fills,
  positions: rowsOf(Position),
  account: Account,
  risk: Risk,
  'trading-state': TradingState,
  quotes: Quotes.describe('The latest per instrument; several changes may be sent as one'),
  trades: Trades,
  bars: Bars,
  book: Books,
  alerts: AlertSummary,
  logs: Logs,
} as const satisfies Record<StreamTopic, z.ZodType>

const Seq = z
  .int()
  .nonnegative()
  .describe('The last change that this frame and all before it show; the point to resume from')

/** Frames from the server. */
export const StreamHello = object(() => ({
  type: z.literal('hello'),
  seq: Seq,
  epoch: z.string().describe('A seq counts within one epoch; a restarted server begins another'),
  oldest_seq: z.int().describe('A resume from an older seq begins with snapshots'),
  version: z.string(),
  topics: z.array(z.string()).describe('What this server offers'),
  heartbeat_ms: z.number(),
})).meta({ id: 'StreamHello' })

export const StreamSnapshot = object(() => ({
  type: z.literal('snapshot'),
  seq: Seq,
  topic: Topic,
  data: z.unknown().describe('As its topic says; absent when it is too large for a frame').optional(),
  partial: z
    .literal(true)
    .optional()
    .describe('Snapshots of other topics follow: do not resume from this seq'),
})).meta({ id: 'StreamSnapshot' })

export const StreamChange = object(() => ({
  type: z.literal('change'),
  seq: Seq,
  topic: Topic,
  data: z.unknown(),
})).meta({ id: 'StreamChange' })

export const StreamStatus = object(() => ({
  type: z.literal('status'),
  seq: Seq,
  paused: z.string().nullable().describe('Why no changes are sent, in a sentence; null while they are'),
})).meta({ id: 'StreamStatus' })

export const StreamHeartbeat = object(() => ({
  type: z.literal('heartbeat'),
  seq: Seq,
  at: z.string(),
})).meta({ id: 'StreamHeartbeat' })

export const STREAM_ERRORS = {
  'stream.malformed': 'The message is not valid',
  'stream.topic': 'This server does not offer the topic',
  'stream.instruments': 'The topic needs its instruments',
} as const

export const StreamError = object(() => ({
  type: z.literal('error'),
  seq: Seq,
  code: z.string().describe(Object.keys(STREAM_ERRORS).join(', ')),
  message: z.string(),
})).meta({ id: 'StreamError' })

/** Any frame from the server. The data of a topic is parsed by `parseSnapshot` or `parseChange`. */
export const ServerFrame = z.discriminatedUnion('type', [
  StreamHello,
  StreamSnapshot,
  StreamChange,
  StreamStatus,
  StreamHeartbeat,
  StreamError,
])
export type ServerFrame = z.output<typeof ServerFrame>

/** Frames from the client. */
export const StreamSubscribe = strictObject(() => ({
  type: z.literal('subscribe'),
  topics: z.array(Topic).min(1).max(STREAM_TOPICS.length),
  instruments: z
    .array(z.string().min(1).max(40))
    .max(STREAM_INSTRUMENTS_MAX)
    .optional()
    .describe(
      `The instruments of the topics of market data in this message. quotes: default all. trades, bars and book: required, at most ${STREAM_MARKET_INSTRUMENTS_MAX}; a later message replaces them`,
    ),
  intervals: z
    .array(z.enum(CHART_INTERVALS))
    .min(1)
    .max(CHART_INTERVALS.length)
    .optional()
    .describe('The intervals of bars; default: 1m'),
  resume: z
    .strictObject({ epoch: z.string().max(64), seq: z.int().nonnegative() })
    .optional()
    .describe('The epoch and the last seq of the connection before'),
})).meta({ id: 'StreamSubscribe' })

export const StreamUnsubscribe = strictObject(() => ({
  type: z.literal('unsubscribe'),
  topics: z.array(Topic).min(1).max(STREAM_TOPICS.length),
})).meta({ id: 'StreamUnsubscribe' })

export const ClientFrame = z.discriminatedUnion('type', [StreamSubscribe, StreamUnsubscribe])
export type ClientFrame = z.output<typeof ClientFrame>

export type SnapshotData<Topic extends StreamTopic> = z.output<(typeof SNAPSHOTS)[Topic]>
export type ChangeData<Topic extends StreamTopic> = z.output<(typeof CHANGES)[Topic]>
export type SnapshotInput<Topic extends StreamTopic> = z.input<(typeof SNAPSHOTS)[Topic]>
export type ChangeInput<Topic extends StreamTopic> = z.input<(typeof CHANGES)[Topic]>

/** Parses the data of a snapshot; undefined if it does not fit its topic. */
export function parseSnapshot<T extends StreamTopic>(topic: T, data: unknown): SnapshotData<T> | undefined {
  // The table's entry for a topic parses to that topic's data.
  return SNAPSHOTS[topic].safeParse(data).data as SnapshotData<T> | undefined
}

/** Parses the data of a change; undefined if it does not fit its topic. */
export function parseChange<T extends StreamTopic>(topic: T, data: unknown): ChangeData<T> | undefined {
  // As above.
  return CHANGES[topic].safeParse(data).data as ChangeData<T> | undefined
}

/** Every schema of the stream, for the OpenAPI document. */
export const STREAM_SCHEMAS = {
  client: ClientFrame,
  server: ServerFrame,
  snapshots: SNAPSHOTS,
  changes: CHANGES,
}

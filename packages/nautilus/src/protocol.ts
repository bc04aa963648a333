import * as z from 'zod'

/** The version of the protocol that this console speaks. */
export const PROTOCOL_VERSION = 1

/** One frame is one line of JSON in UTF-8; a longer line ends the connection. */
export const MAX_LINE_BYTES = 1024 * 1024

/** Both sides send a ping this often; three silent intervals are a dead connection. */
export const PING_MS = 2_000
export const SILENCE_MS = 3 * PING_MS

const Decimal = z.string().regex(/^-?\d+(\.\d+)?$/, 'a plain decimal')
/** Nanoseconds since 1970-01-01 UTC. */
const Nanos = z.string().regex(/^\d{1,20}$/, 'whole nanoseconds')
const Count = z.int().nonnegative()
const Text = z.string()
const Side = z.enum(['BUY', 'SELL'])

const EngineRow = z.object({
  id: Text,
  trader_id: Text,
  environment: Text,
  mode: z.enum(['paper', 'live']),
  /** The state of NautilusTrader's trader component. */
  state: Text,
  is_running: z.boolean(),
  started_at: Nanos.nullish(),
  /** The start of this node gave the paper account its first balance again. */
  account_reset: z.boolean().nullish(),
})

const ComponentRow = z.object({
  id: Text,
  type: z.enum(['Engine', 'Component', 'DataClient', 'ExecClient', 'Actor']),
  state: Text.nullable(),
  is_connected: z.boolean().nullish(),
  venue: Text.nullish(),
  reason: Text.nullish(),
})

const VenueCounts = z.object({ venue: Text, orders: Count, positions: Count })

const RiskRow = z.object({
  id: Text,
  trading_state: z.enum(['ACTIVE', 'REDUCING', 'HALTED']),
  reason: z.object({ code: Text, message: Text }).nullish(),
  since: Nanos.nullish(),
  limits: z.object({
    max_order_size: Decimal,
    max_position_size: Decimal,
    max_daily_loss: Decimal,
    max_positions: Count,
  }),
  breaches: z
    .array(z.object({ limit: Text, value: Decimal, threshold: Decimal, ts: Nanos }))
    .default(() => []),
  /** In percent of the highest equity. */
  max_drawdown: Decimal.nullish(),
  emergency: z
    .object({
      active: z.boolean(),
      started_at: Nanos.nullish(),
      ended_at: Nanos.nullish(),
      outcome: z.enum(['flat', 'ended', 'halted']).nullish(),
      /** What there was when it began. */
      venues: z.array(VenueCounts).default(() => []),
      /** What there was when it ended; an older node does not say it. */
      left: z.array(VenueCounts).nullish(),
      /** When trading was resumed after it. */
      resumed_at: Nanos.nullish(),
    })
    .nullish(),
})

const InstrumentRow = z.object({
  id: Text,
  symbol: Text,
  venue: Text,
  kind: z.enum(['SPOT', 'PERPETUAL']),
  base: Text,
  quote: Text,
  tick: Decimal,
  lot: Decimal,
  min_quantity: Decimal,
  max_quantity: Decimal.nullish(),
  max_price: Decimal.nullish(),
  maker_fee: Decimal,
  taker_fee: Decimal,
  margin_rate: Decimal,
})

const StrategyRow = z.object({
  id: Text,
  name: Text,
  template: Text,
  description: Text.default(''),
  config: z.record(z.string(), z.unknown()),
  state: Text,
  reason: Text.nullish(),
  loss_limit: Decimal.nullish(),
  added_at: Nanos.nullish(),
  /** Counted from events: a position that flips leaves nothing in the cache. Realised is before fees. */
  stats: z.object({ fills: Count, closed: Count, won: Count, realized: Decimal, fees: Decimal }),
})

/** What an account has in one currency. */
const Balance = z.object({
  currency: Text,
  deposited: Decimal,
  total: Decimal,
  /** Before fees. */
  realized: Decimal,
  fees: Decimal,
})

const AccountRow = z.object({
  id: Text,
  ...Balance.shape,
  free: Decimal,
  locked: Decimal,
  margin_initial: Decimal,
  /** Its further currencies. */
  others: z.array(Balance).default(() => []),
})

const Commission = z.object({ amount: Decimal, currency: Text })

const FillRow = z.object({
  trade_id: Text,
  price: Decimal,
  quantity: Decimal,
  commission: Commission,
  liquidity: z.enum(['MAKER', 'TAKER']).nullish(),
  /** Of the closing part, before fees. */
  realized: Decimal.nullish(),
  ts: Nanos,
})

const OrderRow = z.object({
  id: Text,
  venue_order_id: Text.nullish(),
  strategy_id: Text,
  instrument_id: Text,
  side: Side,
  type: Text,
  tif: Text,
  quantity: Decimal,
  filled: Decimal,
  price: Decimal.nullable(),
  trigger_price: Decimal.nullable(),
  reduce_only: z.boolean(),
  /** NautilusTrader's own name of the state. */
  status: Text,
  open: z.boolean(),
  closed: z.boolean(),
  position_id: Text.nullish(),
  /** Sum of price × quantity over all fills. */
  filled_value: Decimal,
  fees: Decimal,
  reason: z.object({ code: z.enum(['risk', 'venue', 'cancel']), message: Text }).nullish(),
  fills: z.array(FillRow).default(() => []),
  /** The exit price that placed it. */
  exit: z.object({ kind: z.enum(['stop-loss', 'take-profit']), price: Decimal }).nullish(),
  ts_init: Nanos,
  ts_last: Nanos,
})

const PositionRow = z.object({
  id: Text,
  instrument_id: Text,
  strategy_id: Text,
  side: z.enum(['LONG', 'SHORT', 'FLAT']),
  quantity: Decimal,
  /** Quantity × average entry price of what is open. */
  entry_value: Decimal,
  /** Before fees. */
  realized: Decimal,
  fees: Decimal,
  ts_opened: Nanos,
  ts_closed: Nanos.nullish(),
  /** The exit prices, and why the close at one that is reached waits. */
  stop_loss: Decimal.nullish(),
  take_profit: Decimal.nullish(),
  exit_obstacle: Text.nullish(),
})

/** The rows of each section, in the order in which a snapshot sends them. */
export const SECTIONS = {
  engine: EngineRow,
  components: ComponentRow,
  risk: RiskRow,
  instruments: InstrumentRow,
  strategies: StrategyRow,
  accounts: AccountRow,
  orders: OrderRow,
  positions: PositionRow,
} as const
export type Section = keyof typeof SECTIONS
export type Row<Name extends Section> = z.output<(typeof SECTIONS)[Name]>

/** The revision of a row: the number of the last event of that object, 0 for none in this epoch. */
const Rev = z.object({ rev: Count })

function slice<Name extends Section>(section: Name) {
  return z.object({
    k: z.literal('snapshot'),
    section: z.literal(section),
    rows: z.array(z.intersection(SECTIONS[section], Rev)),
    last: z.boolean(),
    as_of: Count,
  })
}

const Snapshot = z.discriminatedUnion('section', [
  slice('engine'),
  slice('components'),
  slice('risk'),
  slice('instruments'),
  slice('strategies'),
  slice('accounts'),
  slice('orders'),
  slice('positions'),
  z.object({ k: z.literal('snapshot'), section: z.literal('end'), as_of: Count }),
])
export type Snapshot = z.output<typeof Snapshot>

/** The section that an event of each type changes. */
export const SECTION_OF_EVENT = {
  engine: 'engine',
  component: 'components',
  risk: 'risk',
  instrument: 'instruments',
  strategy: 'strategies',
  account: 'accounts',
  order: 'orders',
  position: 'positions',
} as const satisfies Record<string, Section>
export type RowEventType = keyof typeof SECTION_OF_EVENT

const EVENT = { k: z.literal('event'), seq: z.int().positive(), ts: Nanos }

function change<Type extends RowEventType, View extends z.ZodType>(type: Type, view: View) {
  return z.object({
    ...EVENT,
    type: z.literal(type),
    // Without a view the object is gone, and the id names it.
    data: z.object({ event: Text, id: Text.nullish(), view: view.nullable() }),
  })
}

const Event = z.discriminatedUnion('type', [
  change('engine', EngineRow),
  change('component', ComponentRow),
  change('risk', RiskRow),
  change('instrument', InstrumentRow),
  change('strategy', StrategyRow),
  change('account', AccountRow),
  change('order', OrderRow),
  change('position', PositionRow),
  z.object({
    ...EVENT,
    type: z.literal('breach'),
    data: z.object({ limit: Text, value: Decimal, threshold: Decimal, order_id: Text.nullish() }),
  }),
  z.object({
    ...EVENT,
    type: z.literal('log'),
    data: z.object({ level: Text, component: Text, message: Text }),
  }),
  // An event of a type that a later version added: only its number counts.
  z.object({ ...EVENT, type: z.literal('other') }),
])
export type Event = z.output<typeof Event>

const TemplateParameter = z.object({
  name: Text,
  label: Text,
  description: Text,
  kind: z.enum(['number', 'integer', 'text', 'instrument', 'instruments', 'interval', 'choice']),
  min: z.number().nullish(),
  max: z.number().nullish(),
  choices: z.array(Text).nullish(),
  default: z.union([z.number(), Text, z.array(Text)]),
})

/** A kind of strategy that a node can run. */
export const Template = z.object({
  type: Text,
  title: Text,
  about: Text,
  earns_when: Text.default(''),
  loses_when: Text.default(''),
  parameters: z.array(TemplateParameter),
})
export type Template = z.output<typeof Template>

export const Hello = z.object({
  k: z.literal('hello'),
  v: z.int(),
  protocol: z.object({ min: z.int(), max: z.int() }),
  /** One start of a node; another one means another process. */
  epoch: Text,
  trader_id: Text,
  environment: Text,
  versions: z.object({ bridge: Text, nautilus: Text, python: Text }),
  pid: z.int().nullish(),
  /** The commands that this node takes. */
  capabilities: z.array(Text).default(() => []),
  templates: z.array(Template).default(() => []),
  seq: Count,
  oldest_seq: Count,
})
export type Hello = z.output<typeof Hello>

export const Metrics = z.object({
  k: z.literal('metrics'),
  ts: Nanos,
  quotes: z
    .array(
      z.object({
        instrument_id: Text,
        bid: Decimal,
        ask: Decimal,
        bid_size: Decimal,
        ask_size: Decimal,
        ts: Nanos,
      }),
    )
    .default(() => []),
  trades: z
    .array(z.object({ instrument_id: Text, price: Decimal, size: Decimal, side: Side, ts: Nanos }))
    .default(() => []),
  positions: z
    .array(z.object({ id: Text, mark: Decimal.nullable(), unrealized: Decimal.nullable() }))
    .default(() => []),
  /** Of the amounts that follow. */
  currency: Text.nullish(),
  /** What one unit of a currency is worth in it, by current quotes. Amounts of other currencies are left out. */
  rates: z.record(Text, Decimal).nullish(),
  equity: Decimal.nullish(),
  exposure: Decimal.nullish(),
  margin_used: Decimal.nullish(),
  margin_free: Decimal.nullish(),
  day_result: Decimal.nullish(),
  var_1d: Decimal.nullish(),
  /** In percent of the highest equity: how far below it equity is now, and was at most. */
  drawdown: Decimal.nullish(),
  max_drawdown: Decimal.nullish(),
  loop_lag_ms: z.number().nullish(),
})
export type Metrics = z.output<typeof Metrics>

const ERROR_CODES = [
  'INVALID',
  'NOT_FOUND',
  'NOT_ALLOWED',
  'NOT_WRITER',
  'BAD_STATE',
  'DUPLICATE',
  'EXPIRED',
  'DENIED_RISK',
  'DENIED_LIMIT',
  'REJECTED_VENUE',
  'TIMEOUT',
  'INTERNAL',
] as const
const ErrorCode = z.enum(ERROR_CODES)
export type ErrorCode = z.output<typeof ErrorCode>

const Ack = z.object({
  k: z.literal('ack'),
  id: Text,
  status: z.enum(['accepted', 'rejected', 'duplicate']),
  code: ErrorCode.nullish(),
  message: Text.nullish(),
})
export type Ack = z.output<typeof Ack>

const ResultData = z.record(z.string(), z.unknown())

const Result = z.object({
  k: z.literal('result'),
  id: Text,
  status: z.enum(['completed', 'failed', 'unknown']),
  code: ErrorCode.nullish(),
  message: Text.nullish(),
  data: ResultData.nullish(),
  /** The number of the last event that shows the effect. */
  seq: Count.nullish(),
})
export type Result = z.output<typeof Result>

/** What `command.status` returns about another command; 'none' for one that the node never received. */
export const CommandState = z.object({
  status: z.enum(['none', 'running', 'completed', 'failed', 'unknown']),
  code: ErrorCode.nullish(),
  message: Text.nullish(),
  data: ResultData.nullish(),
})
export type CommandState = z.output<typeof CommandState>

const PreviewPart = z.object({ quantity: Decimal, price: Decimal.nullable(), value: Decimal, fee: Decimal })
const LimitUse = z.object({ before: Decimal, after: Decimal, limit: z.coerce.string().pipe(Decimal) })

/** What `order.preview` returns. */
export const Preview = z.object({
  denial: Text.nullable(),
  quote: z.object({ bid: Decimal, ask: Decimal, ts: Nanos }).nullable(),
  /** What would fill at once; null when the venue cannot say. */
  fill: PreviewPart.nullable(),
  rest: PreviewPart,
  cancelled: Decimal,
  position: z.object({ before: Decimal, after: Decimal }),
  margin: z.object({ before: Decimal, after: Decimal, equity: Decimal }),
  limits: z.object({
    max_order_size: LimitUse,
    max_position_size: LimitUse,
    max_daily_loss: LimitUse,
    max_positions: LimitUse,
  }),
})
export type Preview = z.input<typeof Preview>

/** Why `position.set_exits` failed: the market has reached the price. */
export const ReachedExit = z.object({
  exit: z.enum(['stop-loss', 'take-profit']),
  is_long: z.boolean(),
  price: Decimal,
  market: Decimal,
})

/** What `bars.get` returns: past bars, oldest first, by the time of their start. */
export const PastBars = z.object({
  bars: z.array(
    z.object({ ts: Nanos, open: Decimal, high: Decimal, low: Decimal, close: Decimal, volume: Decimal }),
  ),
})
export type PastBars = z.output<typeof PastBars>

const Welcome = z.object({
  k: z.literal('welcome'),
  /** Only one console at a time may send commands. */
  role: z.enum(['writer', 'reader']),
  resume: z.enum(['replay', 'snapshot']),
})
export type Welcome = z.output<typeof Welcome>

const Ping = z.object({ k: z.literal('ping') })
const Pong = z.object({ k: z.literal('pong') })
const Bye = z.object({ k: z.literal('bye'), reason: Text })

/** Every frame that a node sends. */
export const FromNode = z.discriminatedUnion('k', [
  Hello,
  Welcome,
  Snapshot,
  Event,
  Metrics,
  Ack,
  Result,
  Ping,
  Pong,
  Bye,
])
export type FromNode = z.output<typeof FromNode>

const Auth = z.object({
  k: z.literal('auth'),
  token: Text,
  role: z.enum(['writer', 'reader']),
  console: Text,
  /** What the console has; null asks for everything. */
  resume: z.object({ epoch: Text, seq: Count }).nullable(),
})

export const CommandFrame = z.object({
  k: z.literal('command'),
  id: z.guid(),
  name: Text,
  args: z.record(z.string(), z.unknown()),
  actor: Text,
  /** The node does not begin it later; null for a command that never expires. */
  expires_at: Nanos.nullable(),
})
export type CommandFrame = z.output<typeof CommandFrame>

/** Every frame that a console sends. */
export const ToNode = z.discriminatedUnion('k', [Auth, CommandFrame, Ping, Pong])
export type ToNode = z.output<typeof ToNode>

const KINDS_FROM_NODE: ReadonlySet<unknown> = new Set([
  'hello',
  'welcome',
  'snapshot',
  'event',
  'metrics',
  'ack',
  'result',
  'ping',
  'pong',
  'bye',
])

/** A peer broke the protocol; the connection ends. */
export class ProtocolError extends Error {
  override readonly name = 'ProtocolError'
}

/** Parses a line of a node. A frame of a kind that a later version added is null. */
export function parseFromNode(line: string): FromNode | null {
  const frame = parseLine(line)
  if (!KINDS_FROM_NODE.has(frame.k)) return null
  return check(FromNode, isNewEvent(frame) ? { ...frame, type: 'other' } : frame)
}

/** Parses a line of a console. */
export function parseToNode(line: string): ToNode {
  return check(ToNode, parseLine(line))
}

export function encodeFrame(frame: FromNode | ToNode): string {
  return `${JSON.stringify(frame)}\n`
}

function parseLine(line: string): { k?: unknown; type?: unknown } {
  let value: unknown
  try {
    value = JSON.parse(line)
  } catch {
    throw new ProtocolError(`the frame is not JSON: ${line.slice(0, 80)}`)
  }
  if (typeof value !== 'object' || value === null) throw new ProtocolError('the frame is not an object')
  return value
}

const EVENT_TYPES: ReadonlySet<unknown> = new Set([...Object.keys(SECTION_OF_EVENT), 'breach', 'log'])

function isNewEvent({ k, type }: { k?: unknown; type?: unknown }): boolean {
  return k === 'event' && !EVENT_TYPES.has(type)
}

function check<Schema extends z.ZodType>(schema: Schema, frame: { k?: unknown }): z.output<Schema> {
  const parsed = schema.safeParse(frame)
  if (parsed.success) return parsed.data
  const [issue] = parsed.error.issues
  const at = issue?.path.join('.') ?? ''
  throw new ProtocolError(`the frame '${String(frame.k)}' is invalid at '${at}': ${issue?.message}`)
}

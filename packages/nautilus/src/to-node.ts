import { hash } from 'node:crypto'
import {
  type Command,
  type DeskViews,
  type IdempotencyKey,
  type Instruments,
  type PlaceOrder,
  parseAmount,
  parseAnyPrice,
  parseLimits,
  parseMoney,
  parseOrder,
  printIncrements,
  printMoney,
  type Refusal,
  type Result,
  type StrategyId,
} from '@binnacle/engine'
import { nodeStrategyIdOf } from './to-views.ts'

/** A command in the words of a node. */
export interface NodeCommand {
  readonly name: string
  readonly args: Readonly<Record<string, unknown>>
  readonly key: IdempotencyKey | null
}

type Translation = Result<readonly NodeCommand[], Refusal>

export interface TranslationContext {
  readonly views: DeskViews
  readonly instruments: Instruments
  /** Whether the node has a command: one with an earlier bridge may not. */
  has(name: string): boolean
  /** The clients of a venue. */
  clientsOf(venue: string): readonly string[]
}

/** Translates a command, or refuses what is malformed or cannot be done, as the embedded engine does. */
export function toNode(command: Command, context: TranslationContext): Translation {
  switch (command.type) {
    case 'PlaceOrder':
      return submitOrder(command, context)
    case 'ModifyOrder':
      return modifyOrder(command, context)
    case 'CancelOrder':
      return cancelOrder(command, context)
    case 'ClosePosition':
      return closePosition(command, context)
    case 'ChangeExits':
      return changeExits(command, context)
    case 'ChangeLimits': {
      const limits = parseLimits(command.limits)
      if (!limits.ok) return limits
      return one('limits.set', {
        max_order_size: printMoney(limits.value.maxOrderSize),
        max_position_size: printMoney(limits.value.maxPositionSize),
        max_daily_loss: printMoney(limits.value.maxDailyLoss),
        max_positions: limits.value.maxPositions,
      })
    }
    case 'ChangeTradingState':
      return one('trading_state.set', { state: command.to, ...(command.note && { note: command.note }) })
    case 'StartEmergency':
      return one('emergency.start', {})
    case 'EndEmergency':
      return one('emergency.end', {})
    case 'ConnectVenue':
    case 'DisconnectVenue': {
      const name = command.type === 'ConnectVenue' ? 'adapter.connect' : 'adapter.disconnect'
      const clients = context.clientsOf(command.venue)
      if (clients.length === 0) return notOffered(`a connection to ${command.venue}`)
      return accept(clients.map((client_id) => ({ name, args: { client_id }, key: null })))
    }
    case 'AddStrategy':
      return one(
        'strategy.create',
        {
          name: command.name,
          template: command.strategyType,
          description: command.description,
          config: command.config,
        },
        command.key,
      )
    case 'StartStrategy':
      return ofStrategy('strategy.start', command.strategy, context)
    case 'StopStrategy':
      return ofStrategy('strategy.stop', command.strategy, context)
    case 'RemoveStrategy':
      return ofStrategy('strategy.remove', command.strategy, context)
    case 'ReconfigureStrategy':
      return ofStrategy('strategy.configure', command.strategy, context, { config: command.config })
    case 'RenameStrategy':
      return ofStrategy('strategy.rename', command.strategy, context, { name: command.name })
    case 'LimitStrategyLoss': {
      const limit = command.limit === null ? null : parseAmount('lossLimit', command.limit)
      if (limit?.ok === false) return limit
      const text = limit === null ? null : printMoney(limit.value)
      return ofStrategy('strategy.limit_loss', command.strategy, context, { limit: text })
    }
    default:
      return notOffered(NOT_OFFERED[command.type])
  }
}

type Untranslated = Exclude<
  Command['type'],
  | 'PlaceOrder'
  | 'ModifyOrder'
  | 'CancelOrder'
  | 'ClosePosition'
  | 'ChangeExits'
  | 'ChangeLimits'
  | 'ChangeTradingState'
  | 'StartEmergency'
  | 'EndEmergency'
  | 'ConnectVenue'
  | 'DisconnectVenue'
  | 'AddStrategy'
  | 'StartStrategy'
  | 'StopStrategy'
  | 'RemoveStrategy'
  | 'ReconfigureStrategy'
  | 'RenameStrategy'
  | 'LimitStrategyLoss'
>

const COMPONENTS = 'stopping, starting or configuring a component of a node; restart the node instead'
const SERVICES = 'switching services of a node'
const SERVERS_OWN = 'this command'

/** What NautilusTrader has no counterpart for. */
const NOT_OFFERED: Readonly<Record<Untranslated, string>> = {
  StartComponent: COMPONENTS,
  StopComponent: COMPONENTS,
  PauseComponent: COMPONENTS,
  RestartComponent: COMPONENTS,
  ConfigureComponent: COMPONENTS,
  FailComponent: COMPONENTS,
  SwitchFeature: 'switching features of a node',
  StartService: SERVICES,
  StopService: SERVICES,
  RestartService: SERVICES,
  OpenDesk: SERVERS_OWN,
  RecordHalt: SERVERS_OWN,
  FailStrategy: SERVERS_OWN,
  SubmitIntents: SERVERS_OWN,
}

/** The same key is the same command: the node recognises a repeat by this id, also after a crash. */
export function commandIdOf(key: IdempotencyKey): string {
  const digits = hash('sha256', key)
  return `${digits.slice(0, 8)}-${digits.slice(8, 12)}-4${digits.slice(13, 16)}-8${digits.slice(17, 20)}-${digits.slice(20, 32)}`
}

function submitOrder(command: PlaceOrder, { instruments }: TranslationContext): Translation {
  const parsed = parseOrder(instruments, command)
  if (!parsed.ok) return parsed
  const { instrument, side, type, timeInForce, quantity, price, reduceOnly, strategy } = parsed.value
  const { tick, lot } = instruments.get(instrument)
  return one(
    'order.submit',
    {
      instrument_id: instrument,
      side,
      type,
      quantity: printIncrements(quantity, lot),
      ...(price !== null && { price: printIncrements(price, tick) }),
      tif: timeInForce,
      reduce_only: reduceOnly,
      ...(command.strategy !== undefined && { strategy_id: nodeStrategyIdOf(strategy) }),
    },
    command.key,
  )
}

function modifyOrder(
  command: Extract<Command, { type: 'ModifyOrder' }>,
  { views, instruments }: TranslationContext,
): Translation {
  const order = views.order(command.orderId)
  if (order === null) return refuse({ code: 'order.unknown', order: command.orderId })
  if (order.status !== 'PENDING') {
    return refuse({ code: 'order.finished', order: order.id, state: order.status })
  }
  const { quantity = order.quantity, price = order.price } = command
  const terms = { instrument: order.instrument, side: order.side, orderType: order.type }
  const parsed = parseOrder(instruments, { type: 'PlaceOrder', ...terms, quantity, price })
  if (!parsed.ok) return parsed
  if (Number(quantity) <= order.filled) {
    return refuse({
      code: 'quantity.below-filled',
      given: String(quantity),
      filled: String(order.filled),
    })
  }
  const isSame =
    Number(quantity) === order.quantity && (order.type === 'MARKET' || Number(price) === order.price)
  if (isSame) return refuse({ code: 'order.unchanged', order: order.id })
  const { tick, lot } = instruments.get(parsed.value.instrument)
  const steps = parsed.value
  return one('order.modify', {
    order_id: order.id,
    ...(command.quantity !== undefined && { quantity: printIncrements(steps.quantity, lot) }),
    ...(command.price !== undefined && steps.price !== null && { price: printIncrements(steps.price, tick) }),
  })
}

function cancelOrder(
  { orderId }: Extract<Command, { type: 'CancelOrder' }>,
  { views }: TranslationContext,
): Translation {
  const order = views.order(orderId)
  if (order === null) return refuse({ code: 'order.unknown', order: orderId })
  if (order.status !== 'PENDING') {
    return refuse({ code: 'order.finished', order: orderId, state: order.status })
  }
  return one('order.cancel', { order_id: orderId })
}

function closePosition(
  { positionId, quantity, key }: Extract<Command, { type: 'ClosePosition' }>,
  { views, instruments }: TranslationContext,
): Translation {
  const position = views.positions().find(({ id }) => id === positionId)
  // A repeated key closed it: the node has the outcome.
  if (position === undefined && (key === undefined || views.orderOfKey(key) === null)) {
    return refuse({ code: 'position.unknown', position: positionId })
  }
  const isPart = quantity !== undefined && position !== undefined && Number(quantity) !== position.quantity
  if (isPart) {
    const side = position.side === 'LONG' ? 'SELL' : 'BUY'
    const terms = { instrument: position.instrument, side, orderType: 'MARKET', quantity } as const
    const parsed = parseOrder(instruments, { type: 'PlaceOrder', ...terms })
    if (!parsed.ok) return parsed
    if (Number(quantity) > position.quantity) {
      const held = String(position.quantity)
      return refuse({ code: 'quantity.above-position', given: String(quantity), held })
    }
  }
  const part = quantity === undefined ? {} : { quantity: plainText(quantity) }
  return one('position.close', { position_id: positionId, ...part }, key)
}

function changeExits(
  { positionId, stopLoss, takeProfit }: Extract<Command, { type: 'ChangeExits' }>,
  { views, instruments, has }: TranslationContext,
): Translation {
  if (!has(SET_EXITS)) {
    return notOffered(
      'a stop-loss or take-profit of a position, since the bridge of its node is of an earlier version; place a reduce-only STOP or LIMIT order instead',
    )
  }
  const position = views.positions().find(({ id }) => id === positionId)
  if (position === undefined) return refuse({ code: 'position.unknown', position: positionId })
  const { tick } = instruments.get(position.instrument)
  const prices: Record<string, string | null> = {}
  for (const [name, exit, given] of [
    ['stop_loss', 'stop-loss', stopLoss],
    ['take_profit', 'take-profit', takeProfit],
  ] as const) {
    if (given === undefined) continue
    const parsed = given === null ? null : parseAnyPrice(given, tick)
    if (parsed?.ok === false) return refuse({ code: 'exit.malformed', exit, problem: parsed.reason })
    prices[name] = parsed === null ? null : printIncrements(parsed.value, tick)
  }
  return one(SET_EXITS, { position_id: positionId, ...prices })
}

/** The node's command for exit prices. */
const SET_EXITS = 'position.set_exits'

function ofStrategy(
  name: string,
  strategy: StrategyId,
  { views }: TranslationContext,
  args: Readonly<Record<string, unknown>> = {},
): Translation {
  if (views.strategy(strategy) === null) return refuse({ code: 'strategy.unknown', strategy })
  return one(name, { strategy_id: nodeStrategyIdOf(strategy), ...args })
}

function one(
  name: string,
  args: NodeCommand['args'],
  key: IdempotencyKey | undefined = undefined,
): Translation {
  return accept([{ name, args, key: key ?? null }])
}

function notOffered(what: string): Translation {
  return refuse({ code: 'engine.not-offered', what })
}

function accept(value: readonly NodeCommand[]): Translation {
  return { ok: true, value }
}

function refuse(reason: Refusal): Translation {
  return { ok: false, reason }
}

/** The same number is the same text, by which a node recognises a repeat. */
function plainText(given: number | string): string {
  const exact = parseMoney(given)
  return exact.ok ? printMoney(exact.value) : String(given)
}

import { type Command, type Instruments, idFrom, type RawLimits } from '@binnacle/engine'
import * as z from 'zod'
import { NODE_MANUAL } from './node-rows.ts'

/** What the fake node needs to turn a command into one of the engine behind it. */
export interface FakeLookups {
  readonly instruments: Instruments
  orderOf(id: string): string | undefined
  positionOf(id: string): string | undefined
}

const Text = z.string()
const Decimal = z.string()

const Terms = z.strictObject({
  instrument_id: Text,
  side: z.enum(['BUY', 'SELL']),
  type: z.enum(['MARKET', 'LIMIT', 'STOP']),
  quantity: Decimal,
  price: Decimal.nullish(),
  tif: z.enum(['GTC', 'IOC', 'FOK']).optional(),
  reduce_only: z.boolean().default(false),
})

const OfStrategy = z.strictObject({ strategy_id: Text })

/** The commands of nautilus.md 6, with their arguments. */
export const FAKE_COMMANDS: Record<
  string,
  (args: unknown, lookups: FakeLookups, commandId: string) => Command
> = {
  'order.submit': (args, { instruments }, commandId) => {
    const { instrument_id, type, tif, reduce_only, price, ...terms } = Terms.parse(args)
    return {
      ...terms,
      type: 'PlaceOrder',
      orderType: type,
      instrument: instruments.find(instrument_id)?.id ?? instrument_id,
      reduceOnly: reduce_only,
      ...(tif && { timeInForce: tif }),
      ...(price != null && { price }),
      key: idFrom(commandId),
    }
  },
  'order.modify': (args, { orderOf }) => {
    const { order_id, quantity, price } = z
      .strictObject({ order_id: Text, quantity: Decimal.optional(), price: Decimal.optional() })
      .parse(args)
    return {
      type: 'ModifyOrder',
      orderId: idFrom(orderOf(order_id) ?? order_id),
      ...(quantity !== undefined && { quantity }),
      ...(price !== undefined && { price }),
    }
  },
  'order.cancel': (args, { orderOf }) => {
    const { order_id } = z.strictObject({ order_id: Text }).parse(args)
    return { type: 'CancelOrder', orderId: idFrom(orderOf(order_id) ?? order_id) }
  },
  'position.close': (args, { positionOf }, commandId) => {
    const { position_id, quantity } = z
      .strictObject({ position_id: Text, quantity: Decimal.optional() })
      .parse(args)
    return {
      type: 'ClosePosition',
      positionId: idFrom(positionOf(position_id) ?? position_id),
      ...(quantity !== undefined && { quantity }),
      key: idFrom(commandId),
    }
  },
  'position.set_exits': (args, { positionOf }) => {
    const price = Decimal.nullable().optional()
    const { position_id, stop_loss, take_profit } = z
      .strictObject({ position_id: Text, stop_loss: price, take_profit: price })
      .parse(args)
    return {
      type: 'ChangeExits',
      positionId: idFrom(positionOf(position_id) ?? position_id),
      ...(stop_loss !== undefined && { stopLoss: stop_loss }),
      ...(take_profit !== undefined && { takeProfit: take_profit }),
    }
  },
  'limits.set': (args) => {
    const limits = z
      .strictObject({
        max_order_size: Decimal,
        max_position_size: Decimal,
        max_daily_loss: Decimal,
        max_positions: z.int(),
      })
      .parse(args)
    const raw: RawLimits = {
      maxOrderSize: limits.max_order_size,
      maxPositionSize: limits.max_position_size,
      maxDailyLoss: limits.max_daily_loss,
      maxPositions: limits.max_positions,
    }
    return { type: 'ChangeLimits', limits: raw }
  },
  'trading_state.set': (args) => {
    const { state, note } = z
      .strictObject({ state: z.enum(['ACTIVE', 'REDUCING', 'HALTED']), note: Text.optional() })
      .parse(args)
    return { type: 'ChangeTradingState', to: state, ...(note !== undefined && { note }) }
  },
  'emergency.start': () => ({ type: 'StartEmergency' }),
  'emergency.end': () => ({ type: 'EndEmergency' }),
  'strategy.create': (args, _lookups, commandId) => {
    const { name, template, description, config } = z
      .strictObject({
        name: Text,
        template: Text,
        description: Text,
        config: z.record(z.string(), z.unknown()),
      })
      .parse(args)
    return { type: 'AddStrategy', name, strategyType: template, description, config, key: idFrom(commandId) }
  },
  'strategy.start': (args) => ({ type: 'StartStrategy', strategy: strategyOf(OfStrategy.parse(args)) }),
  'strategy.stop': (args) => ({ type: 'StopStrategy', strategy: strategyOf(OfStrategy.parse(args)) }),
  'strategy.remove': (args) => ({ type: 'RemoveStrategy', strategy: strategyOf(OfStrategy.parse(args)) }),
  'strategy.configure': (args) => {
    const given = OfStrategy.extend({ config: z.record(z.string(), z.unknown()) }).parse(args)
    return { type: 'ReconfigureStrategy', strategy: strategyOf(given), config: given.config }
  },
  'strategy.rename': (args) => {
    const given = OfStrategy.extend({ name: Text }).parse(args)
    return { type: 'RenameStrategy', strategy: strategyOf(given), name: given.name }
  },
  'strategy.limit_loss': (args) => {
    const given = OfStrategy.extend({ limit: Decimal.nullable() }).parse(args)
    return { type: 'LimitStrategyLoss', strategy: strategyOf(given), limit: given.limit }
  },
}

function strategyOf({ strategy_id }: { strategy_id: string }) {
  return idFrom<Extract<Command, { type: 'StartStrategy' }>['strategy']>(
    strategy_id === NODE_MANUAL ? 'MANUAL' : strategy_id.replace(/^FAKE-/, ''),
  )
}

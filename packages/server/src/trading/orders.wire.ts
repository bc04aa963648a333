import type { NewOrder, Order, OrderPreview } from '@binnacle/contract'
import {
  type DeskViews,
  type OrderPreview as EnginePreview,
  type IdempotencyKey,
  idFrom,
  type OrderView,
  type PlaceOrder,
  type PreviewPart,
} from '@binnacle/engine'
import { isoTime } from '#http/iso-time.ts'
import { decimalToWire } from './decimal.wire.ts'

export function placeOrderFromWire(body: NewOrder, key: string | undefined): PlaceOrder {
  return {
    type: 'PlaceOrder',
    instrument: body.instrument,
    side: body.side,
    orderType: body.type,
    quantity: body.quantity,
    price: body.price ?? null,
    ...(body.time_in_force && { timeInForce: body.time_in_force }),
    ...(body.reduce_only !== undefined && { reduceOnly: body.reduce_only }),
    ...(key !== undefined && { key: idFrom<IdempotencyKey>(key) }),
  }
}

export function orderToWire(order: OrderView, { strategyName }: Pick<DeskViews, 'strategyName'>): Order {
  return {
    id: order.id,
    instrument: order.instrument,
    side: order.side,
    type: order.type,
    quantity: order.quantity,
    price: order.price,
    filled_qty: order.filled,
    status: order.status,
    reason: order.reason === null ? undefined : reasonToWire(order.reason),
    strategy: order.strategy,
    strategy_name: strategyName(order.strategy),
    time_in_force: order.timeInForce,
    reduce_only: order.reduceOnly,
    account: order.isPaper && 'paper',
    cancel_requested: (order.isCancelRequested && order.status === 'PENDING') || undefined,
    pending_change: order.pendingChange ?? undefined,
    change_rejected: order.changeRejection ? reasonToWire(order.changeRejection) : undefined,
    average_price: order.averagePrice === null ? null : decimalToWire(order.averagePrice),
    fees: order.fees,
    created_at: isoTime(order.createdAt),
    updated_at: isoTime(order.updatedAt),
  }
}

export function previewToWire(preview: EnginePreview): OrderPreview {
  const { denial, quote, fill, rest, margin, limits } = preview
  return {
    denied: denial === null ? undefined : reasonToWire(denial),
    quote: quote && {
      bid: quote.bid,
      ask: quote.ask,
      spread: decimalToWire(quote.ask - quote.bid),
      at: isoTime(quote.at),
    },
    fill: fill && partToWire(fill),
    rest: partToWire(rest),
    cancelled: preview.cancelled,
    made_reduce_only: preview.isMadeReduceOnly,
    position: preview.position,
    margin: { before: margin.before, after: margin.after, available_after: margin.availableAfter },
    limits: {
      max_order_size: limits.orderSize,
      max_position_size: limits.positionSize,
      max_daily_loss: limits.dailyLoss,
      max_positions: limits.positions,
      margin: limits.margin,
    },
  }
}

function partToWire({ price, ...part }: PreviewPart): OrderPreview['rest'] {
  return { ...part, price: price === null ? null : decimalToWire(price) }
}

function reasonToWire(reason: NonNullable<OrderView['reason']>): Order['reason'] {
  const { code, sentence, ...rest } = reason
  const numbers = Object.entries(rest).filter(
    (field): field is [string, number] => typeof field[1] === 'number',
  )
  return { code, sentence, numbers: Object.fromEntries(numbers) }
}

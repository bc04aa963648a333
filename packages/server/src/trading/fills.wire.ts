import type { ClosedPosition, Fill } from '@binnacle/contract'
import type { ClosedPositionView, DeskViews, FillRecord } from '@binnacle/engine'
import { isoTime } from '#http/iso-time.ts'
import { decimalToWire } from './decimal.wire.ts'

type Names = Pick<DeskViews, 'strategyName'>

export function fillToWire(fill: FillRecord, { strategyName }: Names): Fill {
  return {
    id: `${fill.orderId}/${fill.fill}`,
    order_id: fill.orderId,
    position_id: fill.positionId,
    strategy: fill.strategy,
    strategy_name: strategyName(fill.strategy),
    instrument: fill.instrument,
    side: fill.side,
    quantity: fill.quantity,
    price: decimalToWire(fill.price),
    value: decimalToWire(fill.value),
    fee: decimalToWire(fill.fee),
    realized_pnl: decimalToWire(fill.realised),
    liquidity: fill.liquidity,
    at: isoTime(fill.at),
    journal_seq: fill.seq,
  }
}

export function closedToWire(position: ClosedPositionView, { strategyName }: Names): ClosedPosition {
  return {
    id: position.id,
    instrument: position.instrument,
    side: position.side,
    strategy: position.strategy,
    strategy_name: strategyName(position.strategy),
    realized_pnl: decimalToWire(position.realised),
    fees: decimalToWire(position.fees),
    funding: decimalToWire(position.funding),
    result: decimalToWire(position.result),
    opened_at: isoTime(position.openedAt),
    closed_at: isoTime(position.closedAt),
    journal_seq: position.seq,
  }
}

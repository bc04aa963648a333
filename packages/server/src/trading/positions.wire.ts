import type { Position } from '@binnacle/contract'
import type { PositionView, Rows } from '@binnacle/engine'
import { decimalToWire } from './decimal.wire.ts'

/** The open positions, each with the name of its strategy. */
export function positionsToWire(rows: Rows): Position[] {
  return rows.positions().map((position) => positionToWire(position, rows.strategyName(position.strategy)))
}

function positionToWire(position: PositionView, strategyName: string | undefined): Position {
  return {
    id: position.id,
    instrument: position.instrument,
    side: position.side,
    quantity: position.quantity,
    entry_price: decimalToWire(position.entryPrice),
    current_price: decimalToWire(position.currentPrice),
    unrealized_pnl: decimalToWire(position.unrealised),
    realized_pnl: decimalToWire(position.realised),
    strategy: position.strategy,
    strategy_name: strategyName,
  }
}

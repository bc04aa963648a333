import type { Position } from '@binnacle/contract'
import type { Command, DeskViews, PositionId, PositionView } from '@binnacle/engine'
import { decimalToWire } from './decimal.wire.ts'

/** The open positions, each with the name of its strategy. */
export function positionsToWire(views: DeskViews): Position[] {
  return views.positions().map((position) => positionToWire(position, views.strategyName(position.strategy)))
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
    stop_loss: position.stopLoss,
    take_profit: position.takeProfit,
    exit_obstacle: position.exitObstacle,
  }
}

export function changeExitsFromWire(
  positionId: PositionId,
  { stop_loss: stopLoss, take_profit: takeProfit }: ExitsChange,
): Command {
  return {
    type: 'ChangeExits',
    positionId,
    ...(stopLoss !== undefined && { stopLoss }),
    ...(takeProfit !== undefined && { takeProfit }),
  }
}

interface ExitsChange {
  stop_loss?: number | null | undefined
  take_profit?: number | null | undefined
}

/** The exit prices in a sentence; the position may have been closed since. */
export function describeExits(position: PositionView | undefined): string {
  if (position === undefined) return 'The position was closed in the meantime'
  const { id, stopLoss, takeProfit } = position
  const prices = [
    ...(stopLoss === null ? [] : [`stop-loss at ${stopLoss}`]),
    ...(takeProfit === null ? [] : [`take-profit at ${takeProfit}`]),
  ]
  return prices.length === 0
    ? `Position ${id} has no stop-loss and no take-profit`
    : `Position ${id}: ${prices.join(', ')}`
}

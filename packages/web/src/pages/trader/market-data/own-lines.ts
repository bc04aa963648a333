import type { Fill, Order, Position } from '@binnacle/contract'
import { formatGain, formatQuantity } from '#format/money.ts'
import type { ChartMark } from '#ui/chart/candle-view.ts'
import type { LabelledLine } from '#ui/chart/own-lines.tsx'
import { type ExitName, gainAt } from '#ui/order/exits.ts'
import { canModify } from '#ui/order/order-rules.ts'
import { copy } from './copy.ts'

/** MKT-32: working orders with a price, and positions, as lines of the chart. */
export function linesOf(orders: readonly Order[], positions: readonly Position[]): readonly LabelledLine[] {
  return [
    ...positions.flatMap(exitLinesOf),
    ...positions.map((position): LabelledLine => {
      const { id, side, quantity, entry_price: price, unrealized_pnl: gain } = position
      const text = copy.chart.position(side, formatQuantity(quantity), formatGain(gain))
      return { id: `position ${id}`, price, tone: 'accent', isDashed: false, isMovable: false, text }
    }),
    ...orders.flatMap((order): LabelledLine[] => {
      const { id, side, type, price } = order
      if (typeof price !== 'number') return []
      const tone = side === 'BUY' ? 'up' : 'down'
      const text = copy.chart.order(side, type, openQuantity(order))
      const isMovable = canModify(order)
      return [{ id: String(id), price, tone, isDashed: true, isMovable, text }]
    }),
  ]
}

/** MKT-55: the exit prices of a position, which can be dragged to other prices. */
function exitLinesOf(position: Position): LabelledLine[] {
  return EXITS.flatMap(({ exit, tone, name }): LabelledLine[] => {
    const price = position[exit]
    if (typeof price !== 'number') return []
    const text = copy.chart.exit(name, formatGain(gainAt(position, price)))
    return [{ id: `${exit} ${position.id}`, price, tone, isDashed: true, isMovable: true, text }]
  })
}

const EXITS = [
  { exit: 'stop_loss', tone: 'down', name: copy.chart.stopLoss },
  { exit: 'take_profit', tone: 'up', name: copy.chart.takeProfit },
] as const

/** The position and the exit price whose line this is; undefined for any other line. */
export function exitOfLine(line: string): { exit: ExitName; positionId: string } | undefined {
  const found = EXITS.find(({ exit }) => line.startsWith(`${exit} `))
  return found && { exit: found.exit, positionId: line.slice(found.exit.length + 1) }
}

function openQuantity({ quantity, filled_qty: filled }: Order): string {
  if (filled === 0) return formatQuantity(quantity)
  // Both are decimals of the lot; the difference may not be exact in binary.
  const left = Number((quantity - filled).toFixed(12))
  return copy.chart.partOf(formatQuantity(left), formatQuantity(quantity))
}

/** Fills on the bars in which they happened. */
export function marksOf(fills: readonly Fill[], intervalSeconds: number): readonly ChartMark[] {
  return fills.map(({ id, at, side }) => {
    const second = Math.floor(Date.parse(at) / 1000)
    return {
      id: String(id),
      time: second - (second % intervalSeconds),
      side: side === 'BUY' ? 'buy' : 'sell',
    }
  })
}

/** Since 00:00 UTC. */
export function fillsToday(fills: readonly Fill[], now: number): readonly Fill[] {
  const today = new Date(now).toISOString().slice(0, 10)
  return fills.filter(({ at }) => at.startsWith(today))
}

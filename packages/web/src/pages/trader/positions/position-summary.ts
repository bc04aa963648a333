import { MANUAL_STRATEGY, type Position } from '@binnacle/contract'
import { formatQuantity } from '#format/money.ts'
import { formatOwner } from '#format/owner.ts'
import { copy } from './copy.ts'

export interface PositionSummary {
  open: number
  totalPnl: number
  long: number
  short: number
}

/** POS-2, POS-3 */
export function summarize(positions: readonly Position[]): PositionSummary {
  const sides = positions.map(({ side }) => side)
  const gains = positions.map(({ unrealized_pnl, realized_pnl }) => unrealized_pnl + realized_pnl)
  return {
    open: positions.length,
    totalPnl: roundSum(gains.reduce((sum, gain) => sum + gain, 0)),
    long: sides.filter((side) => side === 'LONG').length,
    short: sides.filter((side) => side === 'SHORT').length,
  }
}

/** Identifies the position in the confirmation. */
export function describePosition({ id, side, quantity, instrument }: Position): string {
  return `${id} · ${side} ${formatQuantity(quantity)} ${instrument}`
}

/** POS-10: undefined if the backend does not send it. */
export function holderOf({ strategy, strategy_name }: Position): string | undefined {
  return formatOwner(strategy === MANUAL_STRATEGY, strategy_name ?? strategy)
}

/** POS-10: the holder as a sentence, for the confirmation. */
export function describeHolder(position: Position): string | undefined {
  const holder = holderOf(position)
  if (holder === undefined) return undefined
  return position.strategy === MANUAL_STRATEGY ? copy.heldManually : copy.heldBy(holder)
}

/** Removes floating-point residue: 0.1 + 0.2 - 0.3 must be 0. */
function roundSum(amount: number): number {
  return Math.round(amount * 1e8) / 1e8
}

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
    totalPnl: withoutDust(gains.reduce((sum, gain) => sum + gain, 0)),
    long: sides.filter((side) => side === 'LONG').length,
    short: sides.filter((side) => side === 'SHORT').length,
  }
}

/** One line that tells this position from its neighbours before it is closed. */
export function describePosition({ id, side, quantity, instrument }: Position): string {
  return `${id} · ${side} ${formatQuantity(quantity)} ${instrument}`
}

/** POS-10: whose it is, where the backend tells. */
export function holderOf({ strategy, strategy_name }: Position): string | undefined {
  return formatOwner(strategy === MANUAL_STRATEGY, strategy_name ?? strategy)
}

/** POS-10: the same as a sentence, for whoever is about to close it. */
export function describeHolder(position: Position): string | undefined {
  const holder = holderOf(position)
  if (holder === undefined) return undefined
  return position.strategy === MANUAL_STRATEGY ? copy.heldByHand : copy.heldBy(holder)
}

/** What adding doubles leaves behind: 0.1 + 0.2 - 0.3 must read as nothing, neither gain nor loss. */
function withoutDust(amount: number): number {
  return Math.round(amount * 1e8) / 1e8
}

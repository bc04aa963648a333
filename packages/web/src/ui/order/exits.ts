/** A position as its exit prices need it. */
export interface HeldPosition {
  id: string | number
  instrument: string
  side: string
  quantity: number
  entry_price: number
  current_price: number
  stop_loss?: number | null | undefined
  take_profit?: number | null | undefined
}

export type ExitName = 'stop_loss' | 'take_profit'

/** The P&L of the whole position at a price, before fees. */
export function gainAt({ side, quantity, entry_price: entry }: HeldPosition, price: number): number {
  const gain = (price - entry) * quantity
  return side === 'SHORT' ? -gain : gain
}

import { lazy, Suspense } from 'react'
import { useTradingState } from '#data/trading-state.ts'

/** Rarely needed, and what dialogs need weighs more than the rest of the frame. */
const HeldTrading = lazy(async () => ({ default: (await import('./held-trading.tsx')).HeldTrading }))

/** RISK-20: while orders are held back, every screen says so. */
export function TradingBar() {
  const current = useTradingState()
  if (current === undefined || current.state === 'ACTIVE') return null
  return (
    <Suspense fallback={null}>
      <HeldTrading current={current} />
    </Suspense>
  )
}

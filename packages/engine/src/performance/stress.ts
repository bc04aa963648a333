/** An open position at its mark. */
export interface StressedPosition {
  readonly base: string
  /** In quote currency, negative when short. */
  readonly value: number
  /** Half the spread as a fraction of the price; null without a quote. */
  readonly halfSpread: number | null
}

export interface StressScenario {
  readonly name: string
  /** Changes of price by base currency, as fractions; `*` is every other one. */
  readonly shocks?: Readonly<Record<string, number>>
  /** Closes every position at this multiple of its spread. */
  readonly spreads?: number
}

export const STRESS_SCENARIOS: readonly StressScenario[] = [
  { name: 'BTC −10 %', shocks: { BTC: -0.1 } },
  { name: 'ETH −10 %', shocks: { ETH: -0.1 } },
  { name: 'SOL +30 %', shocks: { SOL: 0.3 } },
  { name: 'All −20 %', shocks: { '*': -0.2 } },
  { name: 'All +20 %', shocks: { '*': 0.2 } },
  { name: 'Spreads × 5', spreads: 5 },
]

/** The change of equity; null when a position it needs has no quote. */
export function stress(
  { shocks = {}, spreads }: StressScenario,
  held: readonly StressedPosition[],
): number | null {
  let change = 0
  for (const { base, value, halfSpread } of held) {
    change += value * (shocks[base] ?? shocks['*'] ?? 0)
    if (spreads === undefined) continue
    if (halfSpread === null) return null
    change -= Math.abs(value) * halfSpread * spreads
  }
  // Adding zero turns -0 into 0.
  return change + 0
}

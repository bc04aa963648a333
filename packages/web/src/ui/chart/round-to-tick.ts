/** The nearest price that is a multiple of the tick. */
export function roundToTick(price: number, tick: number): number {
  // Multiples of a decimal tick are not exact in binary; its decimals are.
  const decimals = tick.toFixed(12).replace(/0+$/, '').split('.')[1]?.length ?? 0
  return Number((Math.round(price / tick) * tick).toFixed(decimals))
}

const SHOWN_DIGITS = 8

/** Rounds floating-point error to eight decimals. */
export function decimalToWire(value: number): number {
  return Number(value.toFixed(SHOWN_DIGITS))
}

const SHOWN_DIGITS = 8

/** Doubles that came of a division print their dust; eight decimals are what money and prices have at most. */
export function decimalToWire(value: number): number {
  return Number(value.toFixed(SHOWN_DIGITS))
}

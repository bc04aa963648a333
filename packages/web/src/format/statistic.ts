const NONE = '—'

/** A fraction as a signed percentage. */
export function formatReturn(fraction: number, decimals: 1 | 2 = 2): string {
  const text = Math.abs(fraction * 100).toFixed(decimals)
  const sign = Number(text) === 0 ? '' : fraction < 0 ? '-' : '+'
  return `${sign}${text}%`
}

/** A fraction as a percentage. */
export function formatShare(fraction: number): string {
  return `${(fraction * 100).toFixed(2)}%`
}

export function formatRatio(value: number | null): string {
  return value === null ? NONE : value.toFixed(2)
}

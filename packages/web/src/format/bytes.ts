const KIB = 1024
const MIB = KIB * KIB

/** FMT-3: B below 1024, KB below 1024², else MB. */
export function formatBytes(bytes: number): string {
  if (bytes < KIB) return `${bytes} B`
  return bytes < MIB ? `${formatKilobytes(bytes)}` : `${trimDecimals(bytes / MIB)} MB`
}

/** DB-21: always KB, with at most two decimals. */
export function formatKilobytes(bytes: number): string {
  return `${trimDecimals(bytes / KIB)} KB`
}

function trimDecimals(amount: number): string {
  return String(Number(amount.toFixed(2)))
}

const KIB = 1024
const MIB = KIB * KIB

/** FMT: B below 1024, KB below 1024², else MB. */
export function formatBytes(bytes: number): string {
  if (bytes < KIB) return `${bytes} B`
  return bytes < MIB ? `${formatKilobytes(bytes)}` : `${trimDecimals(bytes / MIB)} MB`
}

/** Always KB with at most two decimals, as the message after a backup wants it. */
export function formatKilobytes(bytes: number): string {
  return `${trimDecimals(bytes / KIB)} KB`
}

function trimDecimals(amount: number): string {
  return String(Number(amount.toFixed(2)))
}

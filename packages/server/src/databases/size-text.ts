const KIB = 1024

/** A size as the console writes sizes: B below 1024, KB below 1024², else MB. */
export function sizeText(bytes: number): string {
  if (bytes < KIB) return `${bytes} B`
  if (bytes < KIB * KIB) return `${trim(bytes / KIB)} KB`
  return `${trim(bytes / KIB / KIB)} MB`
}

function trim(amount: number): string {
  return String(Math.round(amount * 100) / 100)
}

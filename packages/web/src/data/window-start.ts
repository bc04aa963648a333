/** The start of a window that ends now, in steps of its poll, so that equal requests have equal addresses. */
export function windowStart(lengthMs: number, pollMs: number): string {
  return new Date(Math.floor((Date.now() - lengthMs) / pollMs) * pollMs).toISOString()
}

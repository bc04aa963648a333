/** Runs it when the browser is idle, at most four seconds from now; returns how it is cancelled. */
export function whenIdle(run: () => void): () => void {
  // Not every browser has it.
  if (typeof requestIdleCallback === 'undefined') {
    const timer = setTimeout(run, 2_000)
    return () => clearTimeout(timer)
  }
  const id = requestIdleCallback(run, { timeout: 4_000 })
  return () => cancelIdleCallback(id)
}

/**
 * Runs work at an interval, never twice at once. A run that fails is reported, once for equal messages in a row, and the
 * next one tries again. Returns a function that ends it.
 */
export function repeat(
  everyMs: number,
  work: () => void | Promise<void>,
  onFault: (message: string) => void,
): () => void {
  let isBusy = false
  let reported: string | undefined
  const timer = setInterval(async () => {
    if (isBusy) return
    isBusy = true
    try {
      await work()
      reported = undefined
    } catch (fault) {
      const message = fault instanceof Error ? fault.message : String(fault)
      if (message !== reported) onFault(message)
      reported = message
    } finally {
      isBusy = false
    }
  }, everyMs)
  return () => clearInterval(timer)
}

export interface Deadline {
  signal: AbortSignal
  clear: () => void
}

/** Aborts after so many milliseconds, or as soon as the outer signal does. */
export function createDeadline(timeoutMs: number, outer?: AbortSignal): Deadline {
  const controller = new AbortController()
  const timer = setTimeout(
    () => controller.abort(new DOMException(`No answer within ${timeoutMs / 1000} s`, 'TimeoutError')),
    timeoutMs,
  )
  const signal = outer ? AbortSignal.any([outer, controller.signal]) : controller.signal
  return { signal, clear: () => clearTimeout(timer) }
}

/** Waits no longer than the signal allows for work that others share and that must not end with it. */
export function orAborted<Value>(pending: Promise<Value>, signal: AbortSignal): Promise<Value> {
  const aborted = new Promise<never>((_, reject) => {
    const give = () => reject(signal.reason)
    if (signal.aborted) give()
    else signal.addEventListener('abort', give, { once: true })
  })
  return Promise.race([pending, aborted])
}

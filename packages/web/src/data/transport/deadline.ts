export interface Deadline {
  signal: AbortSignal
  /** Begins the timeout again. */
  restart: () => void
  clear: () => void
}

/** Aborts after the timeout, or when the outer signal does. */
export function createDeadline(timeoutMs: number, outer?: AbortSignal): Deadline {
  const controller = new AbortController()
  const abort = () =>
    controller.abort(new DOMException(`No answer within ${timeoutMs / 1000} s`, 'TimeoutError'))
  let timer = setTimeout(abort, timeoutMs)
  const clear = () => clearTimeout(timer)
  const restart = () => {
    clear()
    timer = setTimeout(abort, timeoutMs)
  }
  const signal = outer ? AbortSignal.any([outer, controller.signal]) : controller.signal
  return { signal, restart, clear }
}

/** Rejects when the signal aborts; the pending work itself is shared and goes on. */
export function orAborted<Value>(pending: Promise<Value>, signal: AbortSignal): Promise<Value> {
  const aborted = new Promise<never>((_, reject) => {
    const abort = () => reject(signal.reason)
    if (signal.aborted) abort()
    else signal.addEventListener('abort', abort, { once: true })
  })
  return Promise.race([pending, aborted])
}

type Guard = (event: PopStateEvent) => void

let guard: Guard | undefined

// Chromium calls the listeners of a window in the order of their registration, capturing or not: imported by main.tsx,
// this one comes before that of the router.
globalThis.addEventListener?.('popstate', (event) => guard?.(event))

/** Shows each Back and Forward to `next` before the router sees it, until the signal aborts. */
export function guardBack(next: Guard, signal: AbortSignal): void {
  guard = next
  signal.addEventListener('abort', () => {
    if (guard === next) guard = undefined
  })
}

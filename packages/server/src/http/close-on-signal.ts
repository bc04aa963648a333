import { inspect } from 'node:util'

export interface Stoppable {
  /** Waits for requests in flight, at most for the grace period. */
  close(graceMs: number): Promise<void>
}

const CLOSING_GRACE_MS = 10_000

/** The first signal closes the server and exits; the second exits immediately. */
export function closeOnSignal(server: Stoppable): void {
  let isClosing = false
  const stop = async () => {
    if (isClosing) process.exit(1)
    isClosing = true
    try {
      await server.close(CLOSING_GRACE_MS)
      process.exit(0)
    } catch (fault) {
      process.stderr.write(`The server did not close properly: ${inspect(fault)}\n`)
      process.exit(1)
    }
  }
  process.on('SIGINT', stop)
  process.on('SIGTERM', stop)
}

export interface Stoppable {
  /** Ends what is in flight first, within the grace. */
  close(graceMs: number): Promise<void>
}

const CLOSING_GRACE_MS = 10_000

/** The first signal closes the server and then ends the process; the second ends it at once. */
export function closeOnSignal(server: Stoppable): void {
  let isClosing = false
  const stop = async () => {
    if (isClosing) process.exit(1)
    isClosing = true
    await server.close(CLOSING_GRACE_MS)
    process.exit(0)
  }
  process.on('SIGINT', stop)
  process.on('SIGTERM', stop)
}

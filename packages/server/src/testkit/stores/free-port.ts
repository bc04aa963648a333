import { randomInt } from 'node:crypto'
import { createServer } from 'node:net'

/**
 * A port nobody listens on now, of those that systems do not hand out by themselves: another one could be taken by any
 * connection that is opened before it is used.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(10_000, 32_000)
    if (await isFree(port)) return port
  }
}

function isFree(port: number): Promise<boolean> {
  const server = createServer()
  return new Promise((resolve) => {
    server.once('error', () => resolve(false))
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)))
  })
}

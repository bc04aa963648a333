import { randomInt } from 'node:crypto'
import { createServer } from 'node:net'

/**
 * A free port outside the ephemeral range, because an outgoing connection could take one of that range before it is
 * used.
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

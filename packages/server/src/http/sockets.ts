import { once } from 'node:events'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface Sockets {
  servers: Server[]
  port: number
}

/** Error codes for an address that the machine does not have, such as ::1 without IPv6. */
const MISSING_ADDRESS_CODES = new Set(['EADDRNOTAVAIL', 'EAFNOSUPPORT'])
const FREE_PORT_ATTEMPTS = 20

/**
 * Listens on the same port of every address: browsers resolve 'localhost' to IPv4 or IPv6.
 * Only the first address must exist.
 */
export async function listenOnEvery(
  addresses: readonly string[],
  port: number,
  createServer: () => Server,
): Promise<Sockets> {
  for (let attempt = 1; ; attempt += 1) {
    const outcome = await listenOnce(addresses, port, createServer)
    if (outcome.ok) return outcome.sockets
    const canRetry = port === 0 && outcome.error.code === 'EADDRINUSE' && attempt < FREE_PORT_ATTEMPTS
    if (!canRetry) throw outcome.error
  }
}

/** Resolves when no request is in flight, at the latest after the grace period. */
export async function closeServer(server: Server, graceMs: number): Promise<void> {
  const closed = once(server, 'close')
  server.close()
  const cutOff = setTimeout(() => server.closeAllConnections(), graceMs)
  await closed
  clearTimeout(cutOff)
}

type Outcome = { ok: true; sockets: Sockets } | { ok: false; error: NodeJS.ErrnoException }

async function listenOnce(
  addresses: readonly string[],
  wantedPort: number,
  createServer: () => Server,
): Promise<Outcome> {
  const servers: Server[] = []
  let port = wantedPort
  for (const address of addresses) {
    const server = createServer()
    const error = await listen(server, address, port)
    if (error !== undefined && servers.length > 0 && MISSING_ADDRESS_CODES.has(error.code ?? '')) continue
    if (error !== undefined) {
      await Promise.all(servers.map((opened) => closeServer(opened, 0)))
      return { ok: false, error }
    }
    servers.push(server)
    port = portOf(server)
  }
  return { ok: true, sockets: { servers, port } }
}

function listen(server: Server, host: string, port: number): Promise<NodeJS.ErrnoException | undefined> {
  return new Promise((resolve) => {
    server.once('error', resolve)
    server.listen({ host, port, exclusive: true }, () => {
      server.removeListener('error', resolve)
      resolve(undefined)
    })
  })
}

function portOf(server: Server): number {
  // A server that listens on TCP has an address with a port; Node's type covers pipes too.
  return (server.address() as AddressInfo).port
}

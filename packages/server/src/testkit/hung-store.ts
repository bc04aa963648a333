import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { onTestFinished } from 'vitest'

/** AuthenticationOk and ReadyForQuery. */
const POSTGRES_READY = Buffer.from([0x52, 0, 0, 0, 8, 0, 0, 0, 0, 0x5a, 0, 0, 0, 5, 0x49])

export interface HungStore {
  readonly url: string
  /** Resolves when it has received a statement, which it never answers. */
  readonly asked: Promise<unknown>
}

/** A store that accepts a connection and answers no statement. */
export async function openHungStore(type: 'postgresql' | 'redis'): Promise<HungStore> {
  const asked = Promise.withResolvers<void>()
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    let isReady = type === 'redis'
    socket.on('error', () => {})
    socket.on('data', () => {
      if (isReady) asked.resolve()
      else socket.write(POSTGRES_READY)
      isReady = true
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(async () => {
    for (const socket of sockets) socket.destroy()
    server.close()
    await once(server, 'close')
  })
  // A server that listens on a port has such an address.
  const { port } = server.address() as AddressInfo
  const path = type === 'redis' ? '' : '/desk'
  return { url: `${type}://desk:secret@127.0.0.1:${port}${path}`, asked: asked.promise }
}

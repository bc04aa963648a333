import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { onTestFinished } from 'vitest'

export interface SeenRequest {
  method: string | undefined
  url: string | undefined
  headers: IncomingMessage['headers']
  body: string
}

export interface Target {
  port: number
  url: string
  /** The requests it received, in order. */
  seen: SeenRequest[]
  /** How many connections were made, with a request or without. */
  connections: () => number
}

type Answer = (response: ServerResponse, request: SeenRequest) => void

/** A server that records what it sees, on a loopback address. */
export async function openTarget(
  answer: Answer = (response) => response.end('ok'),
  { host = '127.0.0.1', port = 0 } = {},
): Promise<Target> {
  const seen: SeenRequest[] = []
  let connections = 0
  const server = createServer(async (incoming, response) => {
    const { method, url, headers } = incoming
    const request = { method, url, headers, body: await text(incoming) }
    seen.push(request)
    answer(response, request)
  })
  server.on('connection', () => {
    connections += 1
  })
  server.listen(port, host)
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  // A listening TCP server has an address with a port.
  const opened = server.address() as AddressInfo
  return { port: opened.port, url: `http://${host}:${opened.port}`, seen, connections: () => connections }
}

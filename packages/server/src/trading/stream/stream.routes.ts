import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { STREAM, STREAM_MESSAGE_MAX_BYTES } from '@binnacle/contract'
import type { FastifyInstance } from 'fastify'
import type { WebSocketServer } from 'ws'
import { Refused, sendProblem } from '#http/problems.ts'
import {
  acceptWebSocket,
  createWebSocketServer,
  type Upgrade,
  type WebSocketConnection,
} from '#http/websocket.ts'
import type { StreamConnection } from './stream-client.ts'
import { StreamHub, type StreamHubOptions } from './stream-hub.ts'

/** Bounds the memory that clients can take together. */
const MAX_CLIENTS = 500

const NOT_A_WEBSOCKET = new Refused('request.malformed', 'Open this address as a WebSocket.')

/** What has passed over the stream, counted for the metrics. */
export interface StreamTraffic {
  frames: number
  clients: number
}

/** Serves the stream. The listener has checked Host and Origin before it passes an upgrade on. */
export function addStream(
  app: FastifyInstance,
  options: StreamHubOptions & { traffic?: StreamTraffic | undefined },
): StreamHub {
  const hub = new StreamHub(options)
  const webSockets = createWebSocketServer(STREAM_MESSAGE_MAX_BYTES)
  app.server.on('upgrade', (request, socket, head) =>
    handleUpgrade(hub, webSockets, { request, socket, head }, options.traffic),
  )
  app.addHook('onClose', async () => hub.close())
  app.get(STREAM.path, (request, reply) => sendProblem(request, reply, NOT_A_WEBSOCKET))
  return hub
}

function handleUpgrade(
  hub: StreamHub,
  webSockets: WebSocketServer,
  upgrade: Upgrade,
  traffic: StreamTraffic = { frames: 0, clients: 0 },
): void {
  const refused = refusalOf(hub, upgrade.request)
  if (refused !== undefined) {
    refuse(upgrade.socket, refused)
    return
  }
  acceptWebSocket(webSockets, upgrade, (connection) => {
    traffic.clients += 1
    const client = hub.connect(countTraffic(connection, traffic))
    return {
      onText: (text) => client.receive(text),
      onDrain: () => client.sendDue(),
      onClose() {
        traffic.clients -= 1
        hub.disconnect(client)
      },
    }
  })
}

function countTraffic(connection: WebSocketConnection, traffic: StreamTraffic): StreamConnection {
  return {
    get bufferedBytes() {
      return connection.bufferedBytes
    },
    send(frames, count = 1) {
      traffic.frames += count
      connection.send(frames)
    },
    ping: () => connection.ping(),
    close: (code, reason) => connection.close(code, reason),
  }
}

function refusalOf(hub: StreamHub, { url = '' }: IncomingMessage): Refusal | undefined {
  const [path] = url.split('?')
  if (path !== STREAM.path) return { status: 404, text: 'Unknown call' }
  return hub.clientCount >= MAX_CLIENTS ? { status: 503, text: 'Too many streams are open.' } : undefined
}

interface Refusal {
  status: keyof typeof REASONS
  text: string
}

const REASONS = { 404: 'Not Found', 503: 'Service Unavailable' } as const

function refuse(socket: Duplex, { status, text }: Refusal): void {
  // The other side may have gone; then there is nobody to answer.
  socket.on('error', () => socket.destroy())
  const length = Buffer.byteLength(text)
  const head = `HTTP/1.1 ${status} ${REASONS[status]}\r\nConnection: close\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Length: ${length}\r\n\r\n`
  socket.end(head + text)
}

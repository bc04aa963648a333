import { STREAM, STREAM_MESSAGE_MAX_BYTES } from '@binnacle/contract'
import type { FastifyInstance } from 'fastify'
import type { WebSocketServer } from 'ws'
import { Refused, sendProblem } from '#http/problems.ts'
import {
  acceptWebSocket,
  createWebSocketServer,
  refuseUpgrade,
  type Upgrade,
  type WebSocketConnection,
} from '#http/websocket.ts'
import type { StreamConnection } from './stream-client.ts'
import { StreamHub, type StreamHubOptions } from './stream-hub.ts'

/** Bounds the memory that clients can take together. */
const MAX_CLIENTS = 500

const NOT_A_WEBSOCKET = new Refused('request.malformed', 'Open this address as a WebSocket.')
const TOO_MANY = new Refused('server.busy', `${MAX_CLIENTS} streams are open. Close one and try again.`)

/** What has passed over the stream, counted for the metrics. */
export interface StreamTraffic {
  frames: number
  clients: number
}

/** Serves the stream. The listener has checked path, Host and Origin before it passes an upgrade on. */
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
  if (hub.clientCount >= MAX_CLIENTS) {
    refuseUpgrade(upgrade.socket, TOO_MANY)
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

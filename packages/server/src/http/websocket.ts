import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { type WebSocket, WebSocketServer } from 'ws'

/** A request to upgrade, as `node:http` passes it on. */
export interface Upgrade {
  request: IncomingMessage
  socket: Duplex
  /** The bytes that arrived with it. */
  head: Buffer
}

export interface WebSocketHandlers {
  onText: (text: string) => void
  /** Called when everything sent so far has left this process. */
  onDrain: () => void
  onClose: () => void
}

/** A WebSocket connection. Sends text and says how much the client has not taken yet. */
export interface WebSocketConnection {
  /** Bytes that wait in this process. */
  readonly bufferedBytes: number
  /** Sends text that is encoded as UTF-8 already, so that many clients share one buffer. */
  send(text: Buffer): void
  /** Sends a ping; ends the connection if the last ones were not answered. */
  ping(): void
  close(code: number, reason: string): void
}

const MAX_UNANSWERED_PINGS = 3
const CLOSE_TIMEOUT_MS = 500

export function createWebSocketServer(maxMessageBytes: number): WebSocketServer {
  const options = {
    noServer: true,
    clientTracking: false,
    perMessageDeflate: false,
    maxPayload: maxMessageBytes,
    autoPong: false,
    // Not in the types of ws yet. A client that does not answer a close is cut off.
    closeTimeout: CLOSE_TIMEOUT_MS,
  }
  return new WebSocketServer(options)
}

/** Completes the handshake of a request, or answers it with what is wrong about it. */
export function acceptWebSocket(
  server: WebSocketServer,
  { request, socket, head }: Upgrade,
  connect: (connection: WebSocketConnection) => WebSocketHandlers,
): void {
  server.handleUpgrade(request, socket, head, (client) => {
    const connection = new Connection(client, socket)
    const handlers = connect(connection)
    socket.on('drain', handlers.onDrain)
    socket.on('data', () => connection.noteSignOfLife())
    client.on('message', (data, isBinary) => {
      if (isBinary) client.close(1003, 'Only text is accepted')
      else handlers.onText(data.toString())
    })
    // A client that pings without reading gets no more answers.
    client.on('ping', (payload) => {
      if (client.bufferedAmount === 0) client.pong(payload)
    })
    // A violation of the protocol is answered with its close code; a reset is followed by the close.
    client.on('error', () => {})
    client.on('close', handlers.onClose)
  })
}

class Connection implements WebSocketConnection {
  readonly #client: WebSocket
  readonly #socket: Duplex
  #unansweredPings = 0

  constructor(client: WebSocket, socket: Duplex) {
    this.#client = client
    this.#socket = socket
  }

  get bufferedBytes(): number {
    return this.#client.bufferedAmount
  }

  send(text: Buffer): void {
    if (this.#client.readyState !== this.#client.OPEN) return
    // Frames of one turn leave in one write: a fill is several changes for every client.
    if (this.#socket.writableCorked === 0) {
      this.#socket.cork()
      process.nextTick(() => this.#socket.uncork())
    }
    this.#client.send(text, { binary: false })
  }

  ping(): void {
    this.#unansweredPings += 1
    if (this.#unansweredPings > MAX_UNANSWERED_PINGS) this.#client.terminate()
    else this.#client.ping()
  }

  close(code: number, reason: string): void {
    this.#client.close(code, reason)
  }

  noteSignOfLife(): void {
    this.#unansweredPings = 0
  }
}

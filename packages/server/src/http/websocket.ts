import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { type WebSocket, WebSocketServer } from 'ws'
import { endWithProblem } from './client-error.ts'
import { Refused } from './problems.ts'

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
  /** Sends frames of `textFrame`, which many clients share. */
  send(frames: Buffer): void
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
  const server = new WebSocketServer(options)
  server.on('wsClientError', ({ message }, socket) => {
    const detail = `${message}. Open this address as a WebSocket.`
    refuseUpgrade(socket, new Refused('request.malformed', detail), VERSIONS)
  })
  return server
}

/** Those that `ws` accepts: RFC 6455 names them to a client of another one. */
const VERSIONS = new Map([['sec-websocket-version', '13, 8']])

/** Answers an upgrade with a problem; Node has detached its socket from the HTTP server. */
export function refuseUpgrade(
  socket: Duplex,
  refused: Refused,
  ownHeaders?: ReadonlyMap<string, string>,
): void {
  // The other side may have gone; then there is nobody to answer.
  socket.on('error', () => socket.destroy())
  socket.once('finish', () => socket.destroy())
  endWithProblem(socket, refused, ownHeaders)
}

const TEXT = 0x81
const TWO_BYTES = 126
const EIGHT_BYTES = 127

/** A text message as one whole frame of a server, encoded once for all clients. */
export function textFrame(text: string): Buffer {
  const length = Buffer.byteLength(text)
  const headLength = length < TWO_BYTES ? 2 : length < 0x1_0000 ? 4 : 10
  const frame = Buffer.allocUnsafe(headLength + length)
  frame.writeUInt8(TEXT, 0)
  frame.writeUInt8(headLength === 2 ? length : headLength === 4 ? TWO_BYTES : EIGHT_BYTES, 1)
  if (headLength === 4) frame.writeUInt16BE(length, 2)
  if (headLength === 10) frame.writeBigUInt64BE(BigInt(length), 2)
  frame.write(text, headLength)
  return frame
}

/** Completes the handshake of a request, or answers it with a problem. */
export function acceptWebSocket(
  server: WebSocketServer,
  { request, socket, head }: Upgrade,
  connect: (connection: WebSocketConnection) => WebSocketHandlers,
): void {
  server.handleUpgrade(request, socket, head, (client) => {
    const connection = new Connection(client, socket)
    const handlers = connect(connection)
    socket.on('drain', handlers.onDrain)
    socket.on('data', () => connection.resetPingCount())
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

  send(frames: Buffer): void {
    if (this.#client.readyState !== this.#client.OPEN) return
    // Frames of one turn leave in one write: a fill is several changes for every client.
    if (this.#socket.writableCorked === 0) {
      this.#socket.cork()
      process.nextTick(() => this.#socket.uncork())
    }
    // Bypasses ws, which would re-encode the frame per client. Safe because compression is off.
    this.#socket.write(frames)
  }

  ping(): void {
    this.#unansweredPings += 1
    if (this.#unansweredPings > MAX_UNANSWERED_PINGS) this.#client.terminate()
    else this.#client.ping()
  }

  close(code: number, reason: string): void {
    this.#client.close(code, reason)
  }

  resetPingCount(): void {
    this.#unansweredPings = 0
  }
}

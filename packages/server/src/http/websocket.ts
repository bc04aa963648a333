import { hash } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import {
  type CloseCode,
  encodeClose,
  encodePing,
  encodePong,
  FrameReader,
  type Message,
} from './websocket-frames.ts'

export interface WebSocketOptions {
  /** Largest message of the client. */
  maxMessageBytes: number
  onText: (text: string) => void
  /** Called when everything sent so far has left this process. */
  onDrain?: () => void
  onClose: () => void
}

/** A WebSocket connection. Sends encoded frames and says how much the client has not taken yet. */
export interface WebSocketConnection {
  /** Bytes that wait in this process. */
  readonly bufferedBytes: number
  /** Sends a frame encoded by `encodeText`. */
  send(frame: Buffer): void
  /** Sends a ping; ends the connection if the last ones were not answered. */
  ping(): void
  close(code: CloseCode, reason: string): void
}

const HANDSHAKE_GUID = '258EAFA5-E914-47DA-95CA-C5AB0DC85B11'
/** A client that does not answer a close is cut off. */
const CLOSE_TIMEOUT_MS = 2000
const MAX_UNANSWERED_PINGS = 3

/** Why a request cannot become a WebSocket; undefined if it can. */
export function handshakeFault({ method, headers }: IncomingMessage): string | undefined {
  if (method !== 'GET') return 'The method must be GET.'
  if (headers.upgrade?.toLowerCase() !== 'websocket') return 'The Upgrade header must be websocket.'
  if (headers['sec-websocket-version'] !== '13') return 'The Sec-WebSocket-Version must be 13.'
  return /^[A-Za-z0-9+/]{22}==$/.test(headers['sec-websocket-key'] ?? '')
    ? undefined
    : 'The Sec-WebSocket-Key must be 16 bytes in base64.'
}

/** Completes the handshake of a request without a fault. `head` has the bytes that arrived with it. */
export function acceptWebSocket(
  request: IncomingMessage,
  socket: Duplex,
  head: Buffer,
  options: WebSocketOptions,
): WebSocketConnection {
  const accept = hash('sha1', `${request.headers['sec-websocket-key']}${HANDSHAKE_GUID}`, 'base64')
  socket.write(
    [
      'HTTP/1.1 101 Switching Protocols',
      'Upgrade: websocket',
      'Connection: Upgrade',
      `Sec-WebSocket-Accept: ${accept}`,
      '',
      '',
    ].join('\r\n'),
  )
  const connection = new SocketConnection(socket, options)
  // The caller has its connection before the first message arrives.
  queueMicrotask(() => connection.receive(head))
  return connection
}

class SocketConnection implements WebSocketConnection {
  readonly #socket: Duplex
  readonly #options: WebSocketOptions
  readonly #reader: FrameReader
  #isClosing = false
  #unansweredPings = 0
  #cutOff: NodeJS.Timeout | undefined

  constructor(socket: Duplex, options: WebSocketOptions) {
    this.#socket = socket
    this.#options = options
    this.#reader = new FrameReader(options.maxMessageBytes)
    socket.on('data', (chunk: Buffer) => this.receive(chunk))
    socket.on('drain', () => options.onDrain?.())
    // A reset of the connection is followed by its close.
    socket.on('error', () => socket.destroy())
    socket.on('end', () => socket.end())
    socket.once('close', () => {
      clearTimeout(this.#cutOff)
      options.onClose()
    })
  }

  get bufferedBytes(): number {
    return this.#socket.writableLength
  }

  send(frame: Buffer): void {
    if (this.#isClosing || !this.#socket.writable) return
    // Frames of one turn leave in one write: a fill is several changes for every client.
    if (this.#socket.writableCorked === 0) {
      this.#socket.cork()
      process.nextTick(() => this.#socket.uncork())
    }
    this.#socket.write(frame)
  }

  ping(): void {
    if (this.#unansweredPings >= MAX_UNANSWERED_PINGS) {
      this.#socket.destroy()
      return
    }
    this.#unansweredPings += 1
    this.send(encodePing())
  }

  close(code: CloseCode, reason: string): void {
    if (this.#isClosing) return
    if (this.#socket.writable) this.#socket.write(encodeClose(code, reason))
    this.#isClosing = true
    this.#socket.end()
    this.#cutOff = setTimeout(() => this.#socket.destroy(), CLOSE_TIMEOUT_MS)
  }

  receive(chunk: Buffer): void {
    if (this.#isClosing || chunk.length === 0) return
    this.#unansweredPings = 0
    for (const message of this.#reader.read(chunk)) {
      this.#take(message)
      if (this.#isClosing) return
    }
  }

  #take(message: Message): void {
    switch (message.kind) {
      case 'text':
        this.#options.onText(message.text)
        return
      case 'ping':
        // A client that pings without reading gets no more answers.
        if (this.bufferedBytes === 0) this.send(encodePong(message.payload))
        return
      case 'close':
        this.close(1000, '')
        return
      case 'violation':
        this.close(message.code, message.reason)
        return
      case 'pong':
        return
      default:
        message satisfies never
    }
  }
}

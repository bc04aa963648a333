import { connect, isIP, type Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'
import { LineReader } from './framing.ts'
import { encodeFrame, type FromNode, PING_MS, parseFromNode, SILENCE_MS, type ToNode } from './protocol.ts'
import type { Timers } from './timers.ts'

/** Where a node listens: a Unix socket, or another machine by TLS. Plain TCP is for loopback only. */
export type NodeAddress =
  | { readonly kind: 'socket'; readonly path: string }
  | { readonly kind: 'tls'; readonly host: string; readonly port: number; readonly ca?: string }
  | { readonly kind: 'loopback'; readonly port: number }

export interface NodeConnectionOptions {
  readonly address: NodeAddress
  readonly timers: Timers
  readonly onFrame: (frame: FromNode) => void
  /** Called once, with the reason in words. */
  readonly onEnd: (reason: string) => void
}

/** One connection to a node, with heartbeats. It ends once and does not come back. */
export class NodeConnection {
  readonly #options: NodeConnectionOptions
  readonly #socket: Socket
  #lastFrameAt: number
  #stopTimer: () => void = () => {}
  #isEnded = false

  constructor(options: NodeConnectionOptions) {
    this.#options = options
    this.#lastFrameAt = options.timers.now()
    const reader = new LineReader((line) => this.#accept(line))
    this.#socket = open(options.address)
      .on('data', (chunk: Buffer) => {
        try {
          if (!this.#isEnded) reader.push(chunk)
        } catch (fault) {
          this.end(messageOf(fault))
        }
      })
      .on('error', (fault) => this.end(messageOf(fault)))
      .on('close', () => this.end('the node closed the connection'))
    this.#beat()
  }

  send(frame: ToNode): void {
    if (!this.#isEnded) this.#socket.write(encodeFrame(frame))
  }

  end(reason: string): void {
    if (this.#isEnded) return
    this.#isEnded = true
    this.#stopTimer()
    this.#socket.destroy()
    this.#options.onEnd(reason)
  }

  #accept(line: string): void {
    // A frame before this one may have ended the connection.
    if (this.#isEnded) return
    this.#lastFrameAt = this.#options.timers.now()
    const frame = parseFromNode(line)
    if (frame?.k === 'ping') this.send({ k: 'pong' })
    if (frame?.k === 'bye') this.end(`the node ended the connection: ${frame.reason}`)
    else if (frame !== null) this.#options.onFrame(frame)
  }

  #beat(): void {
    const { timers } = this.#options
    this.#stopTimer = timers.after(PING_MS, () => {
      if (timers.now() - this.#lastFrameAt >= SILENCE_MS) {
        this.end(`the node has been silent for ${SILENCE_MS / 1_000} s`)
        return
      }
      this.send({ k: 'ping' })
      this.#beat()
    })
  }
}

function open(address: NodeAddress): Socket {
  switch (address.kind) {
    case 'socket':
      return connect(address.path)
    case 'loopback':
      return connect(address.port, '127.0.0.1')
    case 'tls': {
      const { host, port, ca } = address
      // An address is checked against the certificate without a server name.
      const servername = isIP(host) === 0 ? { servername: host } : {}
      return connectTls({ host, port, ...servername, minVersion: 'TLSv1.3', ...(ca && { ca }) })
    }
  }
}

function messageOf(fault: unknown): string {
  return fault instanceof Error ? fault.message : String(fault)
}

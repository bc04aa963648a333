import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import {
  parseChange,
  parseSnapshot,
  type ServerFrame,
  ServerFrame as ServerFrameSchema,
  STREAM,
  type StreamTopic,
} from '@binnacle/contract'
import type { Desk } from '@binnacle/engine'
import { until } from '@binnacle/stores/testkit'
import { onTestFinished } from 'vitest'
import { createHttpApp } from '#http/app.ts'
import { openListener } from '#http/listener.ts'
import { createRequestGuard } from '#http/request-guard.ts'
import type { MarketData } from '#trading/market/market-data.ts'
import { addStream } from '#trading/stream/stream.routes.ts'
import { openInMemoryDesk } from './in-memory-desk.ts'
import { silentLog } from './silent-log.ts'

export const TRADER_ID = 'TRADER-001'

/** A desk in memory whose stream is served on a port of the system's choice. */
export async function aStreamServer({ openMarket }: StreamServerOptions = {}) {
  const desk = await openInMemoryDesk()
  const app = createHttpApp({ logger: silentLog })
  const market = await openMarket?.(desk)
  const hub = addStream(app, { desk, traderId: TRADER_ID, market })
  const guard = createRequestGuard({ allowedHosts: [], corsOrigins: [] })
  const listener = await openListener({ app, guard, addresses: ['127.0.0.1'], port: 0 })
  onTestFinished(() => listener.close(0))
  return { desk, hub, port: listener.port, market }
}

export interface StreamServerOptions {
  /** Without it the topics of market data are not offered. */
  openMarket?: (desk: Desk) => Promise<MarketData>
}

type Rows = { id: string | number }[]

/** A client as simple as the contract allows: it folds frames into the state of each topic. */
export class StreamReader {
  readonly frames: ServerFrame[] = []
  readonly state = new Map<StreamTopic, Record<string, unknown>>()
  resume: { epoch: string; seq: number } | undefined
  #epoch = ''
  #socket: WebSocket | undefined
  #isInSync = false
  readonly #load: ((topic: StreamTopic) => unknown) | undefined

  /** `load` is the call that lists a topic, for snapshots too large for a frame. */
  constructor(load?: (topic: StreamTopic) => unknown) {
    this.#load = load
  }

  /** Connects and subscribes; resolves when it has everything up to then. */
  async connect(port: number, topics: readonly StreamTopic[]): Promise<void> {
    this.open(port, topics)
    await until(() => {
      if (!this.#isInSync) throw new Error('not in sync yet')
    })
  }

  /** Connects and subscribes without waiting for an answer. */
  open(port: number, topics: readonly StreamTopic[]): void {
    const socket = new WebSocket(`ws://127.0.0.1:${port}${STREAM.path}`)
    this.#socket = socket
    this.#isInSync = false
    socket.onmessage = ({ data }) => {
      if (this.#socket === socket) this.#take(ServerFrameSchema.parse(JSON.parse(String(data))), topics)
    }
  }

  get isOpen(): boolean {
    return this.#socket !== undefined
  }

  send(frame: object): void {
    this.#socket?.send(JSON.stringify(frame))
  }

  /** Ends the connection without reading what is on its way. */
  cut(): void {
    const socket = this.#socket
    this.#socket = undefined
    socket?.close()
  }

  of(type: ServerFrame['type']): ServerFrame[] {
    return this.frames.filter((frame) => frame.type === type)
  }

  #take(frame: ServerFrame, topics: readonly StreamTopic[]): void {
    this.frames.push(frame)
    if (frame.type === 'hello') {
      this.#epoch = frame.epoch
      this.send({ type: 'subscribe', topics, ...(this.resume && { resume: this.resume }) })
      return
    }
    if (frame.type === 'snapshot')
      this.state.set(frame.topic, snapshotOf(frame.topic, frame.data ?? this.#load?.(frame.topic)))
    if (frame.type === 'change') this.#change(frame.topic, frame.data)
    const isWhole = !('partial' in frame && frame.partial)
    if (isWhole) this.resume = { epoch: this.#epoch, seq: frame.seq }
    if (isWhole && (frame.type === 'snapshot' || frame.type === 'heartbeat')) this.#isInSync = true
  }

  #change(topic: StreamTopic, data: unknown): void {
    const change = parseChange(topic, data)
    if (change === undefined) throw new Error(`a change of ${topic} that is not of the contract`)
    if (!('changed' in change)) {
      this.state.set(topic, change)
      return
    }
    const known = this.state.get(topic) ?? {}
    const [[name, rows] = ['', []]] = Object.entries(known).filter(([, value]) => Array.isArray(value))
    const { changed: changedRows, removed: removedIds, ...rest } = change
    const removed = new Set(removedIds)
    // Rows of every topic have an id.
    const changed = new Map((changedRows as Rows).map((row) => [row.id, row]))
    // The list of the topic's state, whose rows have an id too.
    const unchanged = (rows as Rows).filter(({ id }) => !removed.has(id) && !changed.has(id))
    this.state.set(topic, { ...known, ...rest, [name]: [...unchanged, ...changed.values()] })
  }
}

function snapshotOf(topic: StreamTopic, data: unknown): Record<string, unknown> {
  const snapshot = parseSnapshot(topic, data)
  if (snapshot === undefined) throw new Error(`a snapshot of ${topic} that is not of the contract`)
  return snapshot
}

/** Opens the stream by hand, for what a real client never sends and for one that never reads. */
export async function openRawStream(port: number): Promise<Socket> {
  const socket = connect(port, '127.0.0.1')
  onTestFinished(() => void socket.destroy())
  socket.on('error', () => {})
  await once(socket, 'connect')
  socket.write(
    [
      `GET ${STREAM.path} HTTP/1.1`,
      `Host: localhost:${port}`,
      'Connection: Upgrade',
      'Upgrade: websocket',
      'Sec-WebSocket-Version: 13',
      `Sec-WebSocket-Key: ${Buffer.alloc(16, 7).toString('base64')}`,
      '',
      '',
    ].join('\r\n'),
  )
  await once(socket, 'readable')
  return socket
}

/** A masked frame, as a client sends it. */
export function maskedFrame(payload: Buffer, opcode = 0x1, first = 0x80 | opcode): Buffer {
  const { length } = payload
  const size = length < 126 ? [0x80 | length] : [0x80 | 126, length >> 8, length & 0xff]
  const mask = [1, 2, 3, 4]
  const masked = payload.map((byte, index) => byte ^ (mask[index & 3] ?? 0))
  return Buffer.concat([Buffer.from([first, ...size, ...mask]), masked])
}

/** The texts of frames as a server sends them. */
export function textsOf(frames: Buffer): string[] {
  const texts: string[] = []
  for (let at = 0; at < frames.length; ) {
    const short = frames.readUInt8(at + 1)
    const head = short < 126 ? 2 : short === 126 ? 4 : 10
    const length =
      head === 2 ? short : head === 4 ? frames.readUInt16BE(at + 2) : Number(frames.readBigUInt64BE(at + 2))
    texts.push(frames.toString('utf8', at + head, at + head + length))
    at += head + length
  }
  return texts
}

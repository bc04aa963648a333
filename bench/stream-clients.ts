/** Opens a number of streams, and prints for every line it reads how many changes they got since the line before. */

import { randomBytes } from 'node:crypto'
import { connect } from 'node:net'
import { createInterface } from 'node:readline'

const [, , address = '', count = '0'] = process.argv
const { hostname, host, port } = new URL(address)
const topics = ['orders', 'fills', 'positions', 'account', 'risk', 'strategies', 'trading-state', 'quotes']
const TEXT = 0x1
const PING = 0x9
const PONG = 0x8a
/** The type is the first field of every frame. */
const TYPE_AT = '{"type":"'.length
const TYPE_CHARS = 6
let changes = 0

/**
 * Reads the type of each frame and no more: these clients have the core of the client whose orders are measured, and
 * with a WebSocket and parsed data each change took three times as long.
 */
class Stream {
  readonly #socket = connect({ host: hostname, port: Number(port) })
  readonly #onUpToDate: () => void
  #unread: Buffer = Buffer.alloc(0)
  #isOpen = false

  constructor(onUpToDate: () => void, onLost: () => void) {
    this.#onUpToDate = onUpToDate
    this.#socket.on('error', onLost)
    this.#socket.on('close', onLost)
    this.#socket.on('data', (bytes: Buffer) => this.#read(bytes))
    const key = randomBytes(16).toString('base64')
    this.#socket.write(
      `GET /api/stream HTTP/1.1\r\nHost: ${host}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: ${key}\r\n\r\n`,
    )
  }

  #read(added: Buffer): void {
    const bytes = this.#unread.length === 0 ? added : Buffer.concat([this.#unread, added])
    let at = this.#isOpen ? 0 : this.#readHead(bytes)
    while (this.#isOpen) {
      const next = this.#readFrame(bytes, at)
      if (next === undefined) break
      at = next
    }
    this.#unread = bytes.subarray(at)
  }

  /** Returns where the frames begin. */
  #readHead(bytes: Buffer): number {
    const end = bytes.indexOf('\r\n\r\n')
    if (end === -1) return 0
    if (!bytes.toString('latin1', 0, end).startsWith('HTTP/1.1 101')) throw new Error('a stream was refused')
    this.#isOpen = true
    return end + 4
  }

  /** Returns where the next frame begins; undefined if this one is not whole yet. */
  #readFrame(bytes: Buffer, at: number): number | undefined {
    if (bytes.length < at + 2) return undefined
    const short = bytes.readUInt8(at + 1)
    const head = short < 126 ? 2 : short === 126 ? 4 : 10
    if (bytes.length < at + head) return undefined
    const length =
      head === 2 ? short : head === 4 ? bytes.readUInt16BE(at + 2) : Number(bytes.readBigUInt64BE(at + 2))
    const end = at + head + length
    if (bytes.length < end) return undefined
    const opcode = bytes.readUInt8(at) & 0xf
    if (opcode === PING) this.#socket.write(Buffer.from([PONG, 0x80, 0, 0, 0, 0]))
    const typeAt = at + head + TYPE_AT
    if (opcode === TEXT) this.#take(bytes.toString('latin1', typeAt, typeAt + TYPE_CHARS))
    return end
  }

  #take(type: string): void {
    if (type === 'change') changes += 1
    if (type === 'hello"') this.#subscribe()
    if (type === 'heartb') this.#onUpToDate()
  }

  /** A mask of zeros leaves the text as it is, which is shorter than 126 bytes. */
  #subscribe(): void {
    const text = Buffer.from(JSON.stringify({ type: 'subscribe', topics }))
    this.#socket.write(Buffer.concat([Buffer.from([0x81, 0x80 | text.length, 0, 0, 0, 0]), text]))
  }
}

const live = Array.from(
  { length: Number(count) },
  () =>
    new Promise<void>((resolve, reject) => new Stream(resolve, () => reject(new Error('a stream was lost')))),
)
await Promise.all(live)
console.log('ready')
for await (const _ of createInterface({ input: process.stdin })) {
  console.log(changes)
  changes = 0
}
process.exit(0)

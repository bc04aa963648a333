/** Frames of RFC 6455, as far as a server of small text messages needs them: no extensions, no compression. */

export type CloseCode = 1000 | 1001 | 1002 | 1003 | 1007 | 1008 | 1009 | 1013

export type Message =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'ping'; readonly payload: Buffer }
  | { readonly kind: 'pong' }
  | { readonly kind: 'close' }
  /** The client broke the protocol; nothing more is read. */
  | { readonly kind: 'violation'; readonly code: CloseCode; readonly reason: string }

const TEXT = 0x1
const CLOSE = 0x8
const PING = 0x9
const PONG = 0xa
const FINAL = 0x80
const MASKED = 0x80
const CONTROL_MAX_BYTES = 125

export function encodeText(text: string): Buffer {
  return encode(TEXT, Buffer.from(text))
}

export function encodePing(): Buffer {
  return encode(PING, Buffer.alloc(0))
}

export function encodePong(payload: Buffer): Buffer {
  return encode(PONG, payload)
}

export function encodeClose(code: CloseCode, reason: string): Buffer {
  const payload = Buffer.alloc(2 + Buffer.byteLength(reason))
  payload.writeUInt16BE(code)
  payload.write(reason, 2)
  return encode(CLOSE, payload.subarray(0, CONTROL_MAX_BYTES))
}

/** Server frames are not masked, so one buffer serves every client. */
function encode(opcode: number, payload: Buffer): Buffer {
  const { length } = payload
  if (length <= CONTROL_MAX_BYTES) return Buffer.concat([Buffer.from([FINAL | opcode, length]), payload])
  if (length < 0x1_0000) {
    const head = Buffer.from([FINAL | opcode, 126, 0, 0])
    head.writeUInt16BE(length, 2)
    return Buffer.concat([head, payload])
  }
  const head = Buffer.alloc(10)
  head[0] = FINAL | opcode
  head[1] = 127
  head.writeBigUInt64BE(BigInt(length), 2)
  return Buffer.concat([head, payload])
}

/** Reads a client's bytes. It never holds more than one message of the largest allowed size and one read. */
export class FrameReader {
  readonly #maxBytes: number
  #bytes: Buffer = Buffer.alloc(0)
  #fragments: Buffer[] | undefined
  #isBroken = false

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes
  }

  *read(chunk: Buffer): Generator<Message> {
    if (this.#isBroken) return
    this.#bytes = this.#bytes.length === 0 ? chunk : Buffer.concat([this.#bytes, chunk])
    for (;;) {
      const message = this.#next()
      if (message === undefined) return
      if (message !== 'fragment') yield message
      if (typeof message === 'object' && message.kind === 'violation') {
        this.#isBroken = true
        this.#bytes = Buffer.alloc(0)
        this.#fragments = undefined
        return
      }
    }
  }

  #next(): Message | 'fragment' | undefined {
    const [first, second] = this.#bytes
    if (first === undefined || second === undefined) return undefined
    const opcode = first & 0x0f
    const isControl = opcode >= CLOSE
    if ((first & 0x70) !== 0) return violation(1002, 'Reserved bits must be 0')
    if ((second & MASKED) === 0) return violation(1002, 'Frames of a client must be masked')
    const head = this.#head(second & 0x7f)
    if (head === undefined) return undefined
    if (isControl && (head.length > CONTROL_MAX_BYTES || (first & FINAL) === 0)) {
      return violation(1002, 'A control frame must be short and whole')
    }
    const soFar = this.#fragments?.reduce((sum, { length }) => sum + length, 0) ?? 0
    if (head.length + soFar > this.#maxBytes) {
      return violation(1009, `A message may have ${this.#maxBytes} bytes`)
    }
    const end = head.at + 4 + head.length
    if (this.#bytes.length < end) return undefined
    const payload = unmask(this.#bytes.subarray(head.at, head.at + 4), this.#bytes.subarray(head.at + 4, end))
    this.#bytes = this.#bytes.subarray(end)
    return isControl ? control(opcode, payload) : this.#data(opcode, (first & FINAL) !== 0, payload)
  }

  /** The payload's length and where the mask begins; undefined until the head has arrived. */
  #head(short: number): { length: number; at: number } | undefined {
    if (short < 126) return { length: short, at: 2 }
    if (short === 126)
      return this.#bytes.length < 4 ? undefined : { length: this.#bytes.readUInt16BE(2), at: 4 }
    if (this.#bytes.length < 10) return undefined
    return { length: Number(this.#bytes.readBigUInt64BE(2)), at: 10 }
  }

  #data(opcode: number, isFinal: boolean, payload: Buffer): Message | 'fragment' {
    const isContinuation = opcode === 0
    if (isContinuation !== (this.#fragments !== undefined)) {
      return violation(1002, 'Fragments of a message must follow one another')
    }
    if (!isContinuation && opcode !== TEXT) return violation(1003, 'Only text is accepted')
    const parts = [...(this.#fragments ?? []), payload]
    this.#fragments = isFinal ? undefined : parts
    // Empty fragments could otherwise be collected without end.
    if (parts.length > MAX_FRAGMENTS) return violation(1009, 'A message may have 64 fragments')
    return isFinal ? textOf(Buffer.concat(parts)) : 'fragment'
  }
}

const MAX_FRAGMENTS = 64
const utf8 = new TextDecoder('utf-8', { fatal: true })

function textOf(bytes: Buffer): Message {
  try {
    return { kind: 'text', text: utf8.decode(bytes) }
  } catch {
    return violation(1007, 'The text is not UTF-8')
  }
}

function control(opcode: number, payload: Buffer): Message {
  if (opcode === CLOSE) return { kind: 'close' }
  if (opcode === PING) return { kind: 'ping', payload }
  return opcode === PONG ? { kind: 'pong' } : violation(1002, 'Unknown frame')
}

function violation(code: CloseCode, reason: string): Message {
  return { kind: 'violation', code, reason }
}

function unmask(mask: Buffer, masked: Buffer): Buffer {
  const payload = Buffer.from(masked)
  for (let index = 0; index < payload.length; index++) {
    payload[index] = (payload[index] ?? 0) ^ (mask[index & 3] ?? 0)
  }
  return payload
}

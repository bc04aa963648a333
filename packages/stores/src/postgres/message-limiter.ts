import { CELL_MAX_CHARS } from '#encode.ts'

/** Bounds on the messages of one statement. */
export interface ResultLimits {
  /** Bytes of a cell, as text. What is longer is cut and marked. */
  cellBytes: number
  /** After this many bytes of rows, cells are cut at REST_CELL_BYTES. */
  rowBytes: number
}

export const SCREEN_LIMITS: ResultLimits = { cellBytes: CELL_MAX_CHARS, rowBytes: 16 * 1024 * 1024 }
export const PLAN_LIMITS: ResultLimits = { cellBytes: 16 * 1024 * 1024, rowBytes: Number.POSITIVE_INFINITY }
/** An export contains cells in full, up to this size. */
export const EXPORT_LIMITS: ResultLimits = {
  cellBytes: 64 * 1024 * 1024,
  rowBytes: Number.POSITIVE_INFINITY,
}

const REST_CELL_BYTES = 1024
const ERROR_FIELD_BYTES = 4096

/** Ends a cut cell, followed by the number of its bytes. PostgreSQL's text never contains it. */
const MARK = '\0'

/** The beginning of a cut cell and its full size; undefined for a complete one. */
export function cutCellOf(text: string): { beginning: string; bytes: number } | undefined {
  const at = text.indexOf(MARK)
  return at === -1 ? undefined : { beginning: text.slice(0, at), bytes: Number(text.slice(at + 1)) }
}

const HEADER_BYTES = 5
const DATA_ROW = 0x44
const ERROR = 0x45
const NOTICE = 0x4e

type Step = 'header' | 'pass' | 'skip' | 'count' | 'length' | 'cell' | 'error'

/**
 * Cuts large cells and error texts out of the server's messages as they arrive, so that a cell of a gigabyte is never in
 * memory. Messages that are small enough pass unchanged. Notices are dropped: nobody reads them.
 */
export class MessageLimiter {
  #limits = SCREEN_LIMITS
  #rowBytes = 0
  #step: Step = 'header'
  /** Bytes of a header or length that is not complete yet. */
  #part: Buffer = Buffer.alloc(0)
  /** Bytes left of the message, of the cell and of its rest that is dropped. */
  #left = 0
  #keep = 0
  #drop = 0
  #cells = 0
  #cellBytes = 0
  #type = 0
  /** The rewritten message. */
  #body: Buffer[] = []
  #field: Buffer[] = []
  #fieldBytes = 0

  setLimits(limits: ResultLimits): void {
    this.#limits = limits
    this.#rowBytes = 0
  }

  /** Returns what the parser gets of these bytes. */
  push(chunk: Buffer): Buffer[] {
    const out: Buffer[] = []
    let rest = chunk
    while (rest.length > 0) rest = this.#advance(rest, out)
    return out
  }

  #advance(bytes: Buffer, out: Buffer[]): Buffer {
    if (this.#step === 'pass' || this.#step === 'skip') return this.#passOrSkip(bytes, out)
    if (this.#step === 'cell') return this.#readCell(bytes, out)
    if (this.#step === 'error') return this.#readError(bytes, out)
    const wanted = { header: HEADER_BYTES, count: 2, length: 4 }[this.#step]
    const taken = bytes.subarray(0, wanted - this.#part.length)
    this.#part = Buffer.concat([this.#part, taken])
    if (this.#part.length === wanted) {
      const part = this.#part
      this.#part = Buffer.alloc(0)
      if (this.#step === 'header') this.#beginMessage(part, out)
      else if (this.#step === 'count') this.#beginRow(part, out)
      else this.#beginCell(part, out)
    }
    return bytes.subarray(taken.length)
  }

  #beginMessage(header: Buffer, out: Buffer[]): void {
    this.#type = header.readUInt8(0)
    this.#left = header.readUInt32BE(1) - 4
    const isRow = this.#type === DATA_ROW
    this.#body = []
    if (isRow && this.#left > this.#maxCellBytes()) this.#step = 'count'
    else if (this.#type === ERROR && this.#left > ERROR_FIELD_BYTES) this.#step = 'error'
    else {
      this.#step = this.#type === NOTICE ? 'skip' : 'pass'
      if (isRow) this.#rowBytes += this.#left
      if (this.#step === 'pass') out.push(header)
      if (this.#left === 0) this.#step = 'header'
    }
  }

  #maxCellBytes(): number {
    const { cellBytes, rowBytes } = this.#limits
    return this.#rowBytes < rowBytes ? cellBytes : Math.min(cellBytes, REST_CELL_BYTES)
  }

  #passOrSkip(bytes: Buffer, out: Buffer[]): Buffer {
    const taken = bytes.subarray(0, this.#left)
    if (this.#step === 'pass') out.push(taken)
    this.#left -= taken.length
    if (this.#left === 0) this.#step = 'header'
    return bytes.subarray(taken.length)
  }

  #beginRow(count: Buffer, out: Buffer[]): void {
    this.#cells = count.readUInt16BE(0)
    this.#body = [count]
    this.#nextCell(out)
  }

  #nextCell(out: Buffer[]): void {
    if (this.#cells === 0) this.#finish(out)
    else this.#step = 'length'
  }

  #beginCell(length: Buffer, out: Buffer[]): void {
    this.#cells -= 1
    const bytes = length.readInt32BE(0)
    if (bytes <= 0) {
      this.#body.push(length)
      this.#nextCell(out)
      return
    }
    this.#cellBytes = bytes
    this.#keep = Math.min(bytes, this.#maxCellBytes())
    this.#drop = bytes - this.#keep
    this.#field = []
    this.#step = 'cell'
  }

  #readCell(bytes: Buffer, out: Buffer[]): Buffer {
    const taken = bytes.subarray(0, this.#keep)
    this.#field.push(taken)
    this.#keep -= taken.length
    const dropped = this.#keep > 0 ? 0 : Math.min(this.#drop, bytes.length - taken.length)
    this.#drop -= dropped
    if (this.#keep === 0 && this.#drop === 0) this.#endCell(out)
    return bytes.subarray(taken.length + dropped)
  }

  #endCell(out: Buffer[]): void {
    const taken = Buffer.concat(this.#field)
    const isWhole = taken.length === this.#cellBytes
    const cell = isWhole
      ? taken
      : Buffer.concat([withoutBrokenCharacter(taken), Buffer.from(`${MARK}${this.#cellBytes}`)])
    const length = Buffer.alloc(4)
    length.writeInt32BE(cell.length)
    this.#body.push(length, cell)
    this.#field = []
    this.#nextCell(out)
  }

  /** An error is a list of texts that end with NUL; each is cut. */
  #readError(bytes: Buffer, out: Buffer[]): Buffer {
    const message = bytes.subarray(0, this.#left)
    for (let at = 0; at < message.length; ) {
      const end = message.indexOf(0, at)
      const text = message.subarray(at, end === -1 ? message.length : end)
      const taken = text.subarray(0, Math.max(0, ERROR_FIELD_BYTES - this.#fieldBytes))
      this.#body.push(Buffer.from(taken))
      this.#fieldBytes += taken.length
      at += text.length
      if (end !== -1) {
        this.#body.push(message.subarray(end, end + 1))
        this.#fieldBytes = 0
        at += 1
      }
    }
    this.#left -= message.length
    if (this.#left === 0) this.#finish(out)
    return bytes.subarray(message.length)
  }

  #finish(out: Buffer[]): void {
    const header = Buffer.alloc(HEADER_BYTES)
    const bytes = this.#body.reduce((sum, { length }) => sum + length, 0)
    header.writeUInt8(this.#type)
    header.writeUInt32BE(bytes + 4, 1)
    if (this.#type === DATA_ROW) this.#rowBytes += bytes
    out.push(Buffer.concat([header, ...this.#body]))
    this.#body = []
    this.#step = 'header'
  }
}

/** The cut may be in the middle of a UTF-8 character. */
function withoutBrokenCharacter(bytes: Buffer): Buffer {
  let at = bytes.length
  while (at > 0 && at > bytes.length - 4 && ((bytes[at - 1] ?? 0) & 0xc0) === 0x80) at -= 1
  const first = bytes[at - 1] ?? 0
  const wanted = [0xf0, 0xe0, 0xc0].findIndex((bound) => first >= bound)
  const isWhole = wanted === -1 || bytes.length - at + 1 >= 4 - wanted
  return isWhole ? bytes : bytes.subarray(0, at - 1)
}

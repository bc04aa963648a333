import { StringDecoder } from 'node:string_decoder'
import { MAX_LINE_BYTES, ProtocolError } from './protocol.ts'

/** Cuts a byte stream into lines. A line above the maximum is a protocol error. */
export class LineReader {
  readonly #decoder = new StringDecoder('utf8')
  readonly #onLine: (line: string) => void
  #parts: string[] = []
  #bytes = 0

  constructor(onLine: (line: string) => void) {
    this.#onLine = onLine
  }

  push(chunk: Buffer): void {
    let from = 0
    for (let end = chunk.indexOf(NEWLINE); end !== -1; end = chunk.indexOf(NEWLINE, from)) {
      this.#add(chunk.subarray(from, end))
      const line = this.#parts.join('')
      this.#parts = []
      this.#bytes = 0
      from = end + 1
      if (line.trim() !== '') this.#onLine(line)
    }
    this.#add(chunk.subarray(from))
  }

  #add(bytes: Buffer): void {
    this.#bytes += bytes.length
    if (this.#bytes > MAX_LINE_BYTES) throw new ProtocolError(`a line has more than ${MAX_LINE_BYTES} bytes`)
    this.#parts.push(this.#decoder.write(bytes))
  }
}

const NEWLINE = 0x0a

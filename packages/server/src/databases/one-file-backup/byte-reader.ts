/** Reads given numbers of bytes from a stream of buffers. */
export interface ByteReader {
  /** Undefined if the stream ends before. */
  exactly(bytes: number): Promise<Buffer | undefined>
  /** Fewer bytes only at the end of the stream. */
  upTo(bytes: number): Promise<Buffer>
  /** Yields the next bytes in pieces. Throws the given error if the stream ends before. */
  pieces(bytes: number, atEnd: () => Error): AsyncGenerator<Buffer>
  /** Up to and including the next line break; as many bytes as the limit if they hold no line break. */
  line(maxBytes: number): Promise<Buffer>
  hasEnded(): Promise<boolean>
}

const LINE_BREAK = 10

export function createByteReader(source: AsyncIterable<Buffer>): ByteReader {
  const iterator = source[Symbol.asyncIterator]()
  let waiting: Buffer[] = []
  let available = 0

  /** Whether at least this many bytes are there. */
  async function fill(bytes: number): Promise<boolean> {
    while (available < bytes) {
      const { done, value } = await iterator.next()
      if (done) return false
      waiting.push(value)
      available += value.length
    }
    return true
  }

  function take(bytes: number): Buffer {
    const all = waiting.length === 1 ? (waiting[0] ?? Buffer.alloc(0)) : Buffer.concat(waiting)
    const taken = all.subarray(0, bytes)
    waiting = bytes < all.length ? [all.subarray(bytes)] : []
    available -= taken.length
    return taken
  }

  return {
    exactly: async (bytes) => ((await fill(bytes)) ? take(bytes) : undefined),
    async upTo(bytes) {
      await fill(bytes)
      return take(bytes)
    },
    async *pieces(bytes, atEnd) {
      for (let left = bytes; left > 0; ) {
        if (!(await fill(1))) throw atEnd()
        const piece = take(Math.min(left, available))
        left -= piece.length
        yield piece
      }
    },
    async line(maxBytes) {
      await fill(maxBytes)
      const end = Buffer.concat(waiting).subarray(0, maxBytes).indexOf(LINE_BREAK)
      return take(end < 0 ? maxBytes : end + 1)
    },
    hasEnded: async () => !(await fill(1)),
  }
}

import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'

export interface TarFile {
  /** At most 100 characters. */
  name: string
  /** A text, or the bytes of a stream. */
  content: string | { bytes: number; chunks: AsyncIterable<Uint8Array> }
}

const BLOCK_BYTES = 512

/** Yields a .tar.gz file. Its files have the mode of the owner only. */
export async function* packTarGz(files: AsyncIterable<TarFile>, at: Date): AsyncGenerator<Uint8Array> {
  const gzip = createGzip()
  const packing = pipeline(tarBlocks(files, at), gzip)
  // The reader of gzip gets the failure too.
  packing.catch(() => {})
  yield* gzip
  await packing
}

async function* tarBlocks(files: AsyncIterable<TarFile>, at: Date): AsyncGenerator<Uint8Array> {
  for await (const { name, content } of files) {
    const text = typeof content === 'string' ? Buffer.from(content) : undefined
    const bytes = typeof content === 'string' ? (text?.length ?? 0) : content.bytes
    yield headerOf(name, bytes, at)
    if (text !== undefined) yield text
    if (typeof content !== 'string') yield* content.chunks
    yield Buffer.alloc((BLOCK_BYTES - (bytes % BLOCK_BYTES)) % BLOCK_BYTES)
  }
  yield Buffer.alloc(2 * BLOCK_BYTES)
}

/** The fields of a ustar header: offset, and text or octal number. */
function headerOf(name: string, size: number, at: Date): Buffer {
  const header = Buffer.alloc(BLOCK_BYTES)
  const octal = (value: number, digits: number) => `${value.toString(8).padStart(digits, '0')}\0`
  header.write(name, 0, 100)
  header.write(octal(0o600, 7), 100)
  header.write(octal(0, 7), 108)
  header.write(octal(0, 7), 116)
  header.write(octal(size, 11), 124)
  header.write(octal(Math.floor(at.getTime() / 1000), 11), 136)
  header.write('        ', 148)
  header.write('0', 156)
  header.write('ustar\0', 257)
  header.write('00', 263)
  const sum = header.reduce((total, byte) => total + byte, 0)
  header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148)
  return header
}

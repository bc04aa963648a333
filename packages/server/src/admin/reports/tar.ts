import { createGzip } from 'node:zlib'

export interface TarFile {
  name: string
  content: string
}

const BLOCK_BYTES = 512

/** Yields a .tar.gz file. Its files have the mode of the owner only. */
export async function* packTarGz(files: AsyncIterable<TarFile>, at: Date): AsyncGenerator<Uint8Array> {
  const gzip = createGzip()
  const writing = (async () => {
    for await (const file of files) {
      for (const part of tarEntry(file, at)) gzip.write(part)
    }
    gzip.end(Buffer.alloc(2 * BLOCK_BYTES))
  })()
  writing.catch((fault) => gzip.destroy(fault))
  yield* gzip
  await writing
}

function tarEntry({ name, content }: TarFile, at: Date): Buffer[] {
  const body = Buffer.from(content)
  const padding = (BLOCK_BYTES - (body.length % BLOCK_BYTES)) % BLOCK_BYTES
  return [headerOf(name, body.length, at), body, Buffer.alloc(padding)]
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

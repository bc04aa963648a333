import { createHash } from 'node:crypto'
import * as z from 'zod'
import { createByteReader } from './byte-reader.ts'

/** One file of a data folder. */
export interface Part {
  /** Inside the data folder, with forward slashes. */
  path: string
  bytes: number
  contents: AsyncIterable<Buffer>
}

export interface PartDigest {
  path: string
  bytes: number
  sha256: string
}

/** Whether a path stays inside the folder that it is written to, on every system, and does not name an unfinished file. */
export function isPartPath(path: string): boolean {
  return path.split('/').every((step) => step !== '' && !step.startsWith('.') && !step.includes('\\'))
}

const SHA256_BYTES = 32
const MAX_HEAD_BYTES = 16_384

const PartHead = z.object({ path: z.string(), bytes: z.int().nonnegative() })
const End = z.object({ parts: z.array(z.object({ ...PartHead.shape, sha256: z.string() })) })
/** A list of all files at the end: a file that is missing from the middle is noticed too. */
const MAX_END_BYTES = 64 * 1024 * 1024

/** Writes parts one after the other, each with its length before and its checksum behind it, then the list of all. */
export async function* pack(parts: AsyncIterable<Part>): AsyncGenerator<Buffer> {
  const digests: PartDigest[] = []
  for await (const { path, bytes, contents } of parts) {
    yield recordOf({ path, bytes })
    const hash = createHash('sha256')
    for await (const piece of contents) {
      hash.update(piece)
      yield piece
    }
    const digest = hash.digest()
    yield digest
    digests.push({ path, bytes, sha256: digest.toString('hex') })
  }
  yield recordOf({ parts: digests })
}

/** Reads what pack wrote. `take` gets each part and must read all of its contents. Throws `damage()` for any other file. */
export async function unpack(
  source: AsyncIterable<Buffer>,
  take: (part: Part) => Promise<void>,
  damage: () => Error,
): Promise<PartDigest[]> {
  const reader = createByteReader(source)
  const digests: PartDigest[] = []
  for (;;) {
    const length = (await reader.exactly(4))?.readUInt32BE()
    if (length === undefined || length > MAX_END_BYTES) throw damage()
    const text = await reader.exactly(length)
    const record = text === undefined ? undefined : parse(text)
    const end = End.safeParse(record)
    if (end.success) {
      if (!(await reader.hasEnded())) throw damage()
      if (JSON.stringify(end.data.parts) !== JSON.stringify(digests)) throw damage()
      return digests
    }
    const head = PartHead.safeParse(record)
    if (!head.success || length > MAX_HEAD_BYTES) throw damage()
    const { path, bytes } = head.data
    if (!isPartPath(path)) throw damage()
    const hash = createHash('sha256')
    await take({ path, bytes, contents: hashChunks(reader.pieces(bytes, damage), hash) })
    const digest = hash.digest()
    if (!digest.equals((await reader.exactly(SHA256_BYTES)) ?? Buffer.alloc(0))) throw damage()
    digests.push({ path, bytes, sha256: digest.toString('hex') })
  }
}

async function* hashChunks(
  pieces: AsyncIterable<Buffer>,
  hash: ReturnType<typeof createHash>,
): AsyncGenerator<Buffer> {
  for await (const piece of pieces) {
    hash.update(piece)
    yield piece
  }
}

function recordOf(record: object): Buffer {
  const text = Buffer.from(JSON.stringify(record))
  const length = Buffer.alloc(4)
  length.writeUInt32BE(text.length)
  return Buffer.concat([length, text])
}

function parse(text: Buffer): unknown {
  try {
    return JSON.parse(text.toString())
  } catch {
    return undefined
  }
}

import { type FileHandle, open } from 'node:fs/promises'
import { crc32 } from 'node:zlib'
import { JobFailure } from '#jobs/job.ts'

/** One key: where it is, until when, and its value as Redis itself packs it. */
export interface KeyRecord {
  database: number
  key: Buffer
  /** In milliseconds of the server's clock; -1 for one that stays. */
  expiresAt: number
  value: Buffer
}

/*
 * The file: a line that says what it is; then for each key the length of its record, a checksum, the record; at the
 * end a record of length zero whose checksum is the number of keys. So a file cut anywhere is found out.
 */
const MAGIC = Buffer.from('BINNACLE-KEYS-1\n')
const FRAME_BYTES = 8
const FIXED_BYTES = 2 + 8 + 4
const LARGEST_RECORD = 1024 * 1024 * 1024

export interface KeyWriter {
  write(record: KeyRecord): Promise<void>
  close(): Promise<void>
}

export async function createKeyFile(path: string): Promise<KeyWriter> {
  const file = await open(path, 'wx', 0o600)
  let count = 0
  await file.write(MAGIC)
  return {
    async write(record) {
      const packed = pack(record)
      await file.write(Buffer.concat([frameOf(packed.length, crc32(packed)), packed]))
      count += 1
    },
    async close() {
      await file.write(frameOf(0, count))
      await file.close()
    },
  }
}

/** Every key of the file, each checked; ends only at the file's true end. */
export async function* readKeyFile(path: string): AsyncGenerator<KeyRecord> {
  const file = await open(path, 'r')
  try {
    const reader = createReader(file)
    const magic = await reader.take(MAGIC.length)
    if (!magic.equals(MAGIC)) throw damaged('it is no file of keys')
    let count = 0
    for (;;) {
      const packed = await readRecord(reader, count)
      if (packed === undefined) return
      count += 1
      yield unpack(packed)
    }
  } finally {
    await file.close()
  }
}

interface Reader {
  take(bytes: number): Promise<Buffer>
  isAtEnd(): Promise<boolean>
}

function createReader(file: FileHandle): Reader {
  let position = 0
  return {
    async take(bytes) {
      const buffer = Buffer.alloc(bytes)
      const { bytesRead } = await file.read(buffer, 0, bytes, position)
      if (bytesRead < bytes) throw damaged('it ends too early')
      position += bytes
      return buffer
    },
    isAtEnd: async () => (await file.stat()).size === position,
  }
}

/** The record after so many others; none at the end. */
async function readRecord(reader: Reader, count: number): Promise<Buffer | undefined> {
  const frame = await reader.take(FRAME_BYTES)
  const length = frame.readUInt32BE(0)
  const checksum = frame.readUInt32BE(4)
  if (length === 0) {
    if (checksum !== count) throw damaged(`it holds ${count} keys, written were ${checksum}`)
    if (!(await reader.isAtEnd())) throw damaged('something follows its end')
    return undefined
  }
  if (length < FIXED_BYTES || length > LARGEST_RECORD) throw damaged(`key ${count + 1} is not readable`)
  const packed = await reader.take(length)
  if (crc32(packed) !== checksum) throw damaged(`key ${count + 1} is not as it was written`)
  return packed
}

function frameOf(length: number, checksum: number): Buffer {
  const frame = Buffer.alloc(FRAME_BYTES)
  frame.writeUInt32BE(length, 0)
  frame.writeUInt32BE(checksum, 4)
  return frame
}

function pack({ database, key, expiresAt, value }: KeyRecord): Buffer {
  const fixed = Buffer.alloc(FIXED_BYTES)
  fixed.writeUInt16BE(database, 0)
  fixed.writeBigInt64BE(BigInt(expiresAt), 2)
  fixed.writeUInt32BE(key.length, 10)
  return Buffer.concat([fixed, key, value])
}

function unpack(packed: Buffer): KeyRecord {
  const keyEnd = FIXED_BYTES + packed.readUInt32BE(10)
  return {
    database: packed.readUInt16BE(0),
    expiresAt: Number(packed.readBigInt64BE(2)),
    key: packed.subarray(FIXED_BYTES, keyEnd),
    value: packed.subarray(keyEnd),
  }
}

function damaged(how: string): JobFailure {
  return new JobFailure(`The file of keys is damaged: ${how}.`)
}

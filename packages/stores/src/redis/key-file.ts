import { type FileHandle, open } from 'node:fs/promises'
import { crc32 } from 'node:zlib'
import { JobFailure } from '#job-control.ts'

/** One key with its database, expiry and DUMP value. */
export interface KeyRecord {
  database: number
  key: Buffer
  /** Unix milliseconds of the server's clock; -1 for no expiry. */
  expiresAt: number
  value: Buffer
}

/*
 * File format: a magic line; per key the record length, a CRC-32 and the record; at the end a zero length followed by
 * the number of keys. Truncation anywhere is detected.
 */
const MAGIC = Buffer.from('BINNACLE-KEYS-1\n')
const FRAME_BYTES = 8
const FIXED_BYTES = 2 + 8 + 4
const MAX_RECORD_BYTES = 1024 * 1024 * 1024

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

/** Reads every key and verifies its checksum. Throws when the file is truncated or damaged. */
export async function* readKeyFile(path: string): AsyncGenerator<KeyRecord> {
  const file = await open(path, 'r')
  try {
    const reader = createReader(file)
    const magic = await reader.take(MAGIC.length)
    if (!magic.equals(MAGIC)) throw damagedFailure('it is not a key file')
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
      if (bytesRead < bytes) throw damagedFailure('it ends too early')
      position += bytes
      return buffer
    },
    isAtEnd: async () => (await file.stat()).size === position,
  }
}

/** The next record; undefined at the end. */
async function readRecord(reader: Reader, count: number): Promise<Buffer | undefined> {
  const frame = await reader.take(FRAME_BYTES)
  const length = frame.readUInt32BE(0)
  const checksum = frame.readUInt32BE(4)
  if (length === 0) {
    if (checksum !== count) throw damagedFailure(`it holds ${count} keys instead of ${checksum}`)
    if (!(await reader.isAtEnd())) throw damagedFailure('there is data after its end')
    return undefined
  }
  if (length < FIXED_BYTES || length > MAX_RECORD_BYTES)
    throw damagedFailure(`key ${count + 1} cannot be read`)
  const packed = await reader.take(length)
  if (crc32(packed) !== checksum) throw damagedFailure(`key ${count + 1} has a wrong checksum`)
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

function damagedFailure(how: string): JobFailure {
  return new JobFailure(`The backup file is damaged: ${how}.`)
}

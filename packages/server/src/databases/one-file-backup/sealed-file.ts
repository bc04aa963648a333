import {
  createCipheriv,
  createDecipheriv,
  createHash,
  randomBytes,
  type ScryptOptions,
  scrypt,
  timingSafeEqual,
} from 'node:crypto'
import { promisify } from 'node:util'
import * as z from 'zod'
import { StartRefusal } from '#config/start-refusal.ts'
import { createByteReader } from './byte-reader.ts'

const MAGIC = 'binnacle-backup'
const FORMAT = 1
const MAX_HEAD_BYTES = 4096
const CHUNK_BYTES = 65_536
const LENGTH_BYTES = 4
const TAG_BYTES = 16
const KEY_BYTES = 32
/** Cost parameter of scrypt: 128 MiB of memory for each guess of a passphrase. */
const STANDARD_COST = 131_072
const MAX_COST = 1_048_576
const BLOCK_SIZE = 8

const derive = promisify<string, Buffer, number, ScryptOptions, Buffer>(scrypt)

const Head = z.object({
  magic: z.literal(MAGIC),
  format: z.int().positive(),
  /** False: the key is derived from an empty passphrase, so the file is only checked, not protected. */
  encrypted: z.boolean(),
  salt: z.string(),
  cost: z.int().min(2).max(MAX_COST),
  /** Recognises a wrong passphrase before anything is decrypted. */
  check: z.string(),
})

export interface SealOptions {
  passphrase: string | undefined
  /** Of deriving the key. */
  cost?: number | undefined
}

/**
 * Encrypts a stream in chunks with AES-256-GCM. The nonce is the chunk's number and whether it is the last, so chunks
 * cannot be changed, moved or cut off. The key is used for one file only, because its salt is random.
 */
export async function* seal(
  source: AsyncIterable<Buffer>,
  { passphrase, cost = STANDARD_COST }: SealOptions,
): AsyncGenerator<Buffer> {
  const salt = randomBytes(16)
  const { key, check } = await keysOf(passphrase ?? '', salt, cost)
  const head = {
    magic: MAGIC,
    format: FORMAT,
    encrypted: passphrase !== undefined,
    salt: salt.toString('base64'),
    cost,
    check: check.toString('base64'),
  }
  const line = Buffer.from(`${JSON.stringify(head)}\n`)
  const digest = createHash('sha256').update(line).digest()
  yield Buffer.concat([line, digest])
  const reader = createByteReader(source)
  for (let number = 0, isLast = false; !isLast; number++) {
    const chunk = await reader.upTo(CHUNK_BYTES)
    isLast = await reader.hasEnded()
    const cipher = createCipheriv('aes-256-gcm', key, nonceOf(number, isLast)).setAAD(digest)
    const sealed = Buffer.concat([cipher.update(chunk), cipher.final()])
    const length = Buffer.alloc(LENGTH_BYTES)
    length.writeUInt32BE(sealed.length)
    yield Buffer.concat([length, sealed, cipher.getAuthTag()])
  }
}

/** Decrypts what seal wrote. Throws a StartRefusal that names the file for a wrong passphrase and for any damage. */
export async function* unseal(
  source: AsyncIterable<Buffer>,
  { file, passphrase }: { file: string; passphrase: string | undefined },
): AsyncGenerator<Buffer> {
  const reader = createByteReader(source)
  const line = await reader.line(MAX_HEAD_BYTES)
  const head = headOf(line)
  if (head === undefined) throw new StartRefusal(`${file} is not a backup of Binnacle.`)
  if (head.format > FORMAT) {
    throw new StartRefusal(
      `${file} was written by a newer version of Binnacle (format ${head.format}; this one knows ${FORMAT}). Use that version.`,
    )
  }
  const digest = await reader.exactly(KEY_BYTES)
  if (digest === undefined || !createHash('sha256').update(line).digest().equals(digest))
    throw damagedFileRefusal(file)
  const key = await keyOf(head, { file, passphrase })
  for (let number = 0, isLast = false; !isLast; number++) {
    const length = await reader.exactly(LENGTH_BYTES)
    const bytes = length === undefined ? 0 : length.readUInt32BE()
    if (bytes > CHUNK_BYTES) throw damagedFileRefusal(file)
    const sealed = await reader.exactly(bytes + TAG_BYTES)
    if (length === undefined || sealed === undefined) throw truncatedFileRefusal(file)
    isLast = await reader.hasEnded()
    const chunk = open({ key, digest, sealed }, nonceOf(number, isLast))
    if (chunk === undefined) {
      const goesOn = isLast && open({ key, digest, sealed }, nonceOf(number, false)) !== undefined
      throw goesOn ? truncatedFileRefusal(file) : damagedFileRefusal(file)
    }
    yield chunk
  }
}

async function keyOf(
  { encrypted, salt, cost, check }: z.output<typeof Head>,
  { file, passphrase }: { file: string; passphrase: string | undefined },
): Promise<Buffer> {
  if (encrypted && passphrase === undefined) {
    throw new StartRefusal(
      `${file} is encrypted. Give its passphrase with --passphrase-file or BINNACLE_BACKUP_PASSPHRASE.`,
    )
  }
  const keys = await keysOf(encrypted ? (passphrase ?? '') : '', Buffer.from(salt, 'base64'), cost)
  const expected = Buffer.from(check, 'base64')
  if (expected.length === keys.check.length && timingSafeEqual(expected, keys.check)) return keys.key
  throw encrypted ? new StartRefusal(`The passphrase does not open ${file}.`) : damagedFileRefusal(file)
}

async function keysOf(
  passphrase: string,
  salt: Buffer,
  cost: number,
): Promise<{ key: Buffer; check: Buffer }> {
  const options = { N: cost, r: BLOCK_SIZE, p: 1, maxmem: 256 * cost * BLOCK_SIZE }
  const bytes = await derive(passphrase.normalize('NFC'), salt, KEY_BYTES + TAG_BYTES, options)
  return { key: bytes.subarray(0, KEY_BYTES), check: bytes.subarray(KEY_BYTES) }
}

function nonceOf(number: number, isLast: boolean): Buffer {
  const nonce = Buffer.alloc(12)
  nonce.writeUInt32BE(isLast ? 1 : 0)
  nonce.writeBigUInt64BE(BigInt(number), 4)
  return nonce
}

function open(
  { key, digest, sealed }: { key: Buffer; digest: Buffer; sealed: Buffer },
  nonce: Buffer,
): Buffer | undefined {
  const decipher = createDecipheriv('aes-256-gcm', key, nonce).setAAD(digest)
  decipher.setAuthTag(sealed.subarray(-TAG_BYTES))
  const chunk = decipher.update(sealed.subarray(0, -TAG_BYTES))
  try {
    return Buffer.concat([chunk, decipher.final()])
  } catch {
    return undefined
  }
}

function headOf(line: Buffer): z.output<typeof Head> | undefined {
  try {
    return Head.safeParse(JSON.parse(line.toString())).data
  } catch {
    return undefined
  }
}

export function damagedFileRefusal(file: string): StartRefusal {
  return new StartRefusal(`${file} is damaged: bytes were changed after it was saved. Use another backup.`)
}

function truncatedFileRefusal(file: string): StartRefusal {
  return new StartRefusal(`${file} is incomplete: its end is missing. Copy it again, or use another backup.`)
}

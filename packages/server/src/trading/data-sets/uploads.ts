import { randomUUID } from 'node:crypto'
import { rmSync } from 'node:fs'
import { open, rm } from 'node:fs/promises'
import type { IncomingMessage } from 'node:http'
import { basename, dirname, join } from 'node:path'
import type { Readable } from 'node:stream'
import type { DataSetUpload } from '@binnacle/contract'
import type { Instruments } from '@binnacle/engine'
import { notFound, Refused } from '#http/problems.ts'
import { diskRefusal, type FreeSpace } from '#storage/disk-space.ts'
import { columnsOf, guessMapping } from './mapping.ts'
import { readHead } from './row-reader.ts'

/** The unread body of a request. */
export type UploadBody = Readable & Pick<IncomingMessage, 'headers'>

export interface Upload {
  readonly file: string
  readonly filename: string
  readonly expiresAt: number
}

export interface UploadsOptions {
  folder: string
  instruments: Instruments
  limitBytes: number
  freeSpace?: FreeSpace | undefined
  now: () => number
}

const UPLOAD_LIFE_MS = 3_600_000
/** Running ones included. The oldest finished upload makes way for the next. */
const MAX_UPLOADS = 5
/** Of the rows that an upload and a preview show. */
export const SAMPLE_ROWS = 20

/** Files that were sent to be imported, until they are imported or an hour has passed. */
export class Uploads {
  readonly #options: UploadsOptions
  readonly #uploads = new Map<string, Upload>()
  #receiving = 0

  constructor(options: UploadsOptions) {
    this.#options = options
  }

  /** Stores the body of a request and says what is in it. */
  async add(body: UploadBody, filename: string): Promise<DataSetUpload | Refused> {
    if (this.#receiving === MAX_UPLOADS) return tooManyUploads(MAX_UPLOADS)
    this.#receiving += 1
    this.#dropOld()
    try {
      return await this.#store(body, filename)
    } finally {
      this.#receiving -= 1
    }
  }

  find(id: string): Upload | Refused {
    this.#dropOld()
    return this.#uploads.get(id) ?? notFound('upload', id, { field: 'body.upload_id' })
  }

  drop(id: string): void {
    const upload = this.#uploads.get(id)
    this.#uploads.delete(id)
    // A running import has the file open and reads it to the end.
    if (upload !== undefined) rmSync(upload.file, { force: true })
  }

  #dropOld(): void {
    const uploads = [...this.#uploads]
    const now = this.#options.now()
    const old = uploads.filter(([, { expiresAt }]) => expiresAt <= now)
    const surplus = uploads.slice(0, Math.max(0, uploads.length + this.#receiving - MAX_UPLOADS))
    for (const [id] of [...old, ...surplus]) this.drop(id)
  }

  async #store(body: UploadBody, filename: string): Promise<DataSetUpload | Refused> {
    const { folder, instruments, now } = this.#options
    const id = randomUUID()
    const file = join(folder, id)
    const bytes = await receive(body, file, this.#options)
    if (bytes instanceof Refused) return bytes
    const head = await readHead(file).catch((fault: Error) => fault)
    if (head instanceof Error || head.columnCount < 2) {
      rmSync(file, { force: true })
      return unreadable(filename)
    }
    const expiresAt = now() + UPLOAD_LIFE_MS
    this.#uploads.set(id, { file, filename, expiresAt })
    return {
      upload_id: id,
      filename: basename(filename),
      bytes,
      format: head.format,
      columns: columnsOf(head),
      sample: head.rows.slice(0, SAMPLE_ROWS).map(({ values }) => [...values]),
      mapping: guessMapping(head),
      instrument: guessInstrument(filename, instruments),
      expires_at: new Date(expiresAt).toISOString(),
    }
  }
}

const MIB = 1024 * 1024

/** Five uploads at once stay within the free space that every check asks for. */
const CHECK_EVERY_BYTES = 8 * MIB

type UploadLimits = Pick<UploadsOptions, 'limitBytes' | 'freeSpace'>

/** Writes a body to a file and returns its size. Whatever else happens leaves no file; the rest of the body is unread. */
async function receive(body: UploadBody, file: string, limits: UploadLimits): Promise<number | Refused> {
  let received: number | Refused | undefined
  try {
    received = await write(body, file, limits)
    return received
  } catch (fault) {
    if (body.readableAborted) return INTERRUPTED
    throw fault
  } finally {
    if (typeof received !== 'number') await rm(file, { force: true })
  }
}

async function write(
  body: UploadBody,
  file: string,
  { limitBytes, freeSpace }: UploadLimits,
): Promise<number | Refused> {
  const expected = Number(body.headers['content-length'] ?? 0)
  if (expected > limitBytes) return tooLarge(limitBytes)
  const folder = dirname(file)
  if ((await diskRefusal(folder, freeSpace, expected)) !== undefined) return FULL_DISK
  const target = await open(file, 'wx', 0o600)
  try {
    let bytes = 0
    let checked = 0
    for await (const chunk of body.iterator({ destroyOnReturn: false })) {
      bytes += chunk.length
      if (bytes > limitBytes) return tooLarge(limitBytes)
      if (bytes - checked >= CHECK_EVERY_BYTES) {
        checked = bytes
        if ((await diskRefusal(folder, freeSpace)) !== undefined) return FULL_DISK
      }
      await target.writeFile(chunk)
    }
    return bytes
  } finally {
    await target.close()
  }
}

const FULL_DISK = new Refused(
  'request.too-large',
  'The disk of the data folder has too little space for the file, so it was not stored. Free some space and try again.',
)

const INTERRUPTED = new Refused(
  'request.malformed',
  'The connection ended before the whole file had arrived, so it was not stored. Send it again.',
)

/** Files are usually named after what they hold: BTCUSDT-1m-2024-01.csv. */
function guessInstrument(filename: string, { all }: Instruments): string | null {
  const plain = filename.toUpperCase()
  const found = all.find(
    ({ id, venue }) => !id.includes('.') && plain.includes(id) && venue === all[0]?.venue,
  )
  return found?.id ?? null
}

function tooLarge(limitBytes: number): Refused {
  const limit = `${Math.floor(limitBytes / MIB)} MiB`
  return new Refused(
    'request.too-large',
    `The file is larger than ${limit}. Split it, or raise BINNACLE_UPLOAD_LIMIT_MIB and start the server again.`,
  )
}

function tooManyUploads(limit: number): Refused {
  return new Refused('server.busy', `${limit} files are being uploaded. Wait until one of them has ended.`)
}

function unreadable(filename: string): Refused {
  return new Refused(
    'request.malformed',
    `${basename(filename)} is neither a CSV file with at least two columns nor a Parquet file.`,
  )
}

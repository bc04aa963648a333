import { open, rm } from 'node:fs/promises'
import type { IncomingMessage } from 'node:http'
import { basename, dirname } from 'node:path'
import type { Readable } from 'node:stream'
import type { Instruments } from '@binnacle/engine'
import { Refused } from '#http/problems.ts'
import { diskRefusal, type FreeSpace } from '#storage/disk-space.ts'

/** The unread body of a request. */
export type UploadBody = Readable & Pick<IncomingMessage, 'headers'>

const MIB = 1024 * 1024

/** Five uploads at once stay within the free space that every check asks for. */
const CHECK_EVERY_BYTES = 8 * MIB

export interface UploadLimits {
  limitBytes: number
  freeSpace?: FreeSpace | undefined
}

/** Writes a body to a file and returns its size. Whatever else happens leaves no file; the rest of the body is unread. */
export async function receive(
  body: UploadBody,
  file: string,
  limits: UploadLimits,
): Promise<number | Refused> {
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
export function guessInstrument(filename: string, { all }: Instruments): string | null {
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

export function tooManyUploads(limit: number): Refused {
  return new Refused('server.busy', `${limit} files are being uploaded. Wait until one of them has ended.`)
}

export function unreadable(filename: string): Refused {
  return new Refused(
    'request.malformed',
    `${basename(filename)} is neither a CSV file with at least two columns nor a Parquet file.`,
  )
}

import { once } from 'node:events'
import { createWriteStream } from 'node:fs'
import type { IncomingMessage } from 'node:http'
import { basename } from 'node:path'
import type { Readable } from 'node:stream'
import { finished } from 'node:stream/promises'
import type { Instruments } from '@binnacle/engine'
import { Refused } from '#http/problems.ts'

/** The unread body of a request. */
export type UploadBody = Readable & Pick<IncomingMessage, 'headers'>

const MIB = 1024 * 1024

/** Writes a body to a file; null when it is larger than the limit. The rest of it is left unread. */
export async function receive(body: UploadBody, file: string, limitBytes: number): Promise<number | null> {
  if (Number(body.headers['content-length'] ?? 0) > limitBytes) return null
  const target = createWriteStream(file, { mode: 0o600 })
  let bytes = 0
  try {
    for await (const chunk of body.iterator({ destroyOnReturn: false })) {
      bytes += chunk.length
      if (bytes > limitBytes) return null
      if (!target.write(chunk)) await once(target, 'drain')
    }
    return bytes
  } finally {
    target.end()
    await finished(target)
  }
}

/** Files are usually named after what they hold: BTCUSDT-1m-2024-01.csv. */
export function guessInstrument(filename: string, { all }: Instruments): string | null {
  const plain = filename.toUpperCase()
  const found = all.find(
    ({ id, venue }) => !id.includes('.') && plain.includes(id) && venue === all[0]?.venue,
  )
  return found?.id ?? null
}

export function tooLarge(limitBytes: number): Refused {
  const limit = `${Math.floor(limitBytes / MIB)} MiB`
  return new Refused(
    'request.too-large',
    `The file is larger than ${limit}. Split it, or raise BINNACLE_UPLOAD_LIMIT_MIB and start the server again.`,
  )
}

export function unreadable(filename: string): Refused {
  return new Refused(
    'request.malformed',
    `${basename(filename)} is neither a CSV file with at least two columns nor a Parquet file.`,
  )
}

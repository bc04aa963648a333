import { createHash } from 'node:crypto'
import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import * as z from 'zod'
import { JobFailure } from '#jobs/job.ts'
import { filesBelow, sha256Of, writeDurably } from './durable-files.ts'

const MANIFEST_FILE = 'manifest.json'
/** The folder beside the manifest that holds what was written. */
export const CONTENTS = 'contents'

const FileMark = z.object({ path: z.string(), bytes: z.int(), sha256: z.string() })
type FileMark = z.output<typeof FileMark>

/** What a backup is and holds, beside its files: enough to list and restore it without the catalogue. */
export const Manifest = z.object({
  format: z.literal(1),
  name: z.string(),
  connection: z.string(),
  connection_name: z.string(),
  type: z.enum(['sqlite', 'postgresql', 'redis', 'parquet']),
  backup_type: z.string(),
  created_at: z.string(),
  counts: z.record(z.string(), z.number()),
  files: z.array(FileMark),
})
export type Manifest = z.output<typeof Manifest>

export type ManifestHead = Omit<Manifest, 'format' | 'files'>

/** Marks every file below the contents and writes the marks down. */
export async function writeManifest(
  folder: string,
  head: ManifestHead,
  signal: AbortSignal,
): Promise<Manifest> {
  const contents = join(folder, CONTENTS)
  const files: FileMark[] = []
  for (const path of await filesBelow(contents)) files.push(await markOf(contents, path, signal))
  const manifest: Manifest = { format: 1, ...head, files }
  await writeDurably(join(folder, MANIFEST_FILE), `${JSON.stringify(manifest, null, 1)}\n`)
  return manifest
}

export interface ReadManifest extends Manifest {
  /** The checksum of the manifest itself, by which the catalogue knows it. */
  sha256: string
}

export async function readManifest(folder: string): Promise<ReadManifest> {
  const text = await readFile(join(folder, MANIFEST_FILE), 'utf8').catch(() => undefined)
  if (text === undefined) throw new JobFailure('The backup has no manifest any more.')
  const parsed = Manifest.safeParse(parseJson(text))
  if (!parsed.success) throw new JobFailure('The manifest of the backup is damaged.')
  return { ...parsed.data, sha256: createHash('sha256').update(text).digest('hex') }
}

/** Every file is there, is as it was written, and no other is there. */
export async function checkFiles(folder: string, { files }: Manifest, signal: AbortSignal): Promise<void> {
  const contents = join(folder, CONTENTS)
  const found = await filesBelow(contents).catch((): string[] => [])
  const strange = found.find((path) => !files.some((file) => file.path === path))
  if (strange !== undefined) throw new JobFailure(`The backup holds a file that is not its own: ${strange}.`)
  for (const file of files) {
    if (!found.includes(file.path)) throw new JobFailure(`The backup has lost a file: ${file.path}.`)
    const is = await markOf(contents, file.path, signal)
    if (is.bytes !== file.bytes) {
      throw new JobFailure(
        `The backup is damaged: ${file.path} has ${is.bytes} bytes, written were ${file.bytes}.`,
      )
    }
    if (is.sha256 !== file.sha256) {
      throw new JobFailure(`The backup is damaged: ${file.path} is not as it was written.`)
    }
  }
}

export function sizeOf({ files }: Manifest): number {
  return files.reduce((sum, { bytes }) => sum + bytes, 0)
}

async function markOf(contents: string, path: string, signal: AbortSignal): Promise<FileMark> {
  const file = join(contents, path)
  return { path, bytes: (await stat(file)).size, sha256: await sha256Of(file, signal) }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

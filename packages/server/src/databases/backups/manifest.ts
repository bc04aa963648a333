import { createHash } from 'node:crypto'
import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { filesBelow, JobFailure, sha256Of, writeDurably } from '@binnacle/stores'
import * as z from 'zod'
import { parseJson } from '#storage/parse-json.ts'

const MANIFEST_FILE = 'manifest.json'
/** The folder beside the manifest that holds the backed up files. */
export const CONTENTS = 'contents'

const FileChecksum = z.object({ path: z.string(), bytes: z.int(), sha256: z.string() })
type FileChecksum = z.output<typeof FileChecksum>

/** Describes a backup completely, so it can be listed and restored without the catalogue. */
export const Manifest = z.object({
  format: z.literal(1),
  name: z.string(),
  /** Absent, like identity and target, in backups of version 1.0.0. */
  id: z.int().positive().optional(),
  connection: z.string(),
  /** The connection's identity; its number may be given out again. */
  identity: z.string().optional(),
  /** The address and database that was backed up. */
  target: z.string().optional(),
  connection_name: z.string(),
  type: z.enum(['sqlite', 'postgresql', 'redis', 'parquet']),
  backup_type: z.string(),
  created_at: z.string(),
  counts: z.record(z.string(), z.number()),
  files: z.array(FileChecksum),
})
export type Manifest = z.output<typeof Manifest>

export type ManifestHead = Omit<Manifest, 'format' | 'files'>

/** Writes the manifest with the checksum of every file. */
export async function writeManifest(
  folder: string,
  head: ManifestHead,
  signal: AbortSignal,
): Promise<Manifest> {
  const contents = join(folder, CONTENTS)
  const files: FileChecksum[] = []
  for (const path of await filesBelow(contents)) files.push(await checksumOf(contents, path, signal))
  const manifest: Manifest = { format: 1, ...head, files }
  await writeDurably(join(folder, MANIFEST_FILE), `${JSON.stringify(manifest, null, 1)}\n`)
  return manifest
}

export interface ReadManifest extends Manifest {
  /** The checksum of the manifest itself, stored in the catalogue. */
  sha256: string
}

export async function readManifest(folder: string): Promise<ReadManifest> {
  const text = await readFile(join(folder, MANIFEST_FILE), 'utf8').catch(() => undefined)
  if (text === undefined) throw new JobFailure('The manifest of the backup is missing.')
  const parsed = Manifest.safeParse(parseJson(text))
  if (!parsed.success) throw new JobFailure('The manifest of the backup is damaged.')
  return { ...parsed.data, sha256: createHash('sha256').update(text).digest('hex') }
}

/** Checks that all files exist unchanged and that there are no others. */
export async function checkFiles(folder: string, { files }: Manifest, signal: AbortSignal): Promise<void> {
  const contents = join(folder, CONTENTS)
  const found = await filesBelow(contents).catch((): string[] => [])
  const unexpected = found.find((path) => !files.some((file) => file.path === path))
  if (unexpected !== undefined) throw new JobFailure(`The backup contains an unexpected file: ${unexpected}.`)
  for (const file of files) {
    if (!found.includes(file.path)) throw new JobFailure(`A file of the backup is missing: ${file.path}.`)
    const is = await checksumOf(contents, file.path, signal)
    if (is.bytes !== file.bytes) {
      throw new JobFailure(
        `The backup is damaged: ${file.path} has ${is.bytes} bytes instead of ${file.bytes}.`,
      )
    }
    if (is.sha256 !== file.sha256) {
      throw new JobFailure(`The backup is damaged: ${file.path} has a wrong checksum.`)
    }
  }
}

export function sizeOf({ files }: Manifest): number {
  return files.reduce((sum, { bytes }) => sum + bytes, 0)
}

async function checksumOf(contents: string, path: string, signal: AbortSignal): Promise<FileChecksum> {
  const file = join(contents, path)
  return { path, bytes: (await stat(file)).size, sha256: await sha256Of(file, signal) }
}

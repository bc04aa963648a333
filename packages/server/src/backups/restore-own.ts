import { cp, mkdir, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { type JobControl, JobFailure } from '#jobs/job.ts'
import { sha256Of, sync, syncTree } from './durable-files.ts'
import type { Step } from './kind.ts'
import type { KindOf } from './kinds.ts'
import { verifyBackup } from './make-backup.ts'
import { CONTENTS, type ReadManifest } from './manifest.ts'
import type { ParquetSource, SqliteSource } from './source.ts'
import { ARCHIVE, DATABASE } from './sqlite/sqlite-kind.ts'
import { isThere, moveBeside, swapIn } from './swaps.ts'
import type { Vault } from './vault.ts'

/** One of Binnacle's own stores, of which nothing is open. */
export type OwnSource = SqliteSource | ParquetSource

export interface OwnRestore {
  vault: Vault
  kindOf: KindOf
  /** The backup's name. */
  name: string
  source: OwnSource
  /** A folder that is not there yet, for what the store was before. */
  keepIn: string
  step?: Step
}

/**
 * Puts a store of our own back while no server runs. What there was is kept as it is, whatever its state: a store
 * may be restored because it can no longer be read. A swap that is cut short is ended by the next start.
 */
export async function restoreOwn(order: OwnRestore, control: JobControl): Promise<ReadManifest> {
  const { vault, kindOf, name, source, step = () => {} } = order
  await step('verify the backup')
  const manifest = await verifyBackup(vault.at(name), kindOf(source.type), control)
  if (manifest.type !== source.type) throw new JobFailure('The backup is of another kind of store.')
  const parts = partsOf(source)
  await step('keep what there is')
  await keep(order.keepIn, [...parts.map(({ place }) => place), ...parts.flatMap(({ beside }) => beside)])
  const moves = parts.map(({ place }) => moveBeside(place))
  const gone = parts.flatMap(({ beside }) => beside.map((place) => ({ ...moveBeside(place), fresh: null })))
  const note = join(vault.swaps, `${name}.json`)
  await swapIn({ note, moves: [...moves, ...gone], step }, async () => {
    await step('restore beside')
    for (const [index, { within }] of parts.entries()) {
      await copyPart(join(vault.at(name), CONTENTS, within), moves[index]?.fresh ?? '')
    }
    await step('verify beside')
    await refuseOtherFiles(manifest, (path) => besideOf(path, parts, moves))
  })
  return manifest
}

interface Part {
  place: string
  /** Where it is in the contents of a backup; '' for all of them. */
  within: string
  /** What belongs to the old one and must not stay beside the new one. */
  beside: string[]
}

function partsOf(source: OwnSource): Part[] {
  if (source.type === 'parquet') return [{ place: source.folder, within: '', beside: [] }]
  const { file, archiveFolder } = source
  const database = {
    place: file,
    within: DATABASE,
    beside: [`${file}-wal`, `${file}-shm`, `${file}-journal`],
  }
  return archiveFolder === undefined
    ? [database]
    : [database, { place: archiveFolder, within: ARCHIVE, beside: [] }]
}

async function keep(folder: string, places: readonly string[]): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  for (const place of places) {
    if (await isThere(place)) await cp(place, join(folder, basename(place)), { recursive: true })
  }
  await syncTree(folder)
  await sync(dirname(folder))
}

async function copyPart(from: string, to: string): Promise<void> {
  if (!(await isThere(from))) return void (await mkdir(to))
  await cp(from, to, { recursive: true })
  await ((await stat(to)).isDirectory() ? syncTree(to) : sync(to))
}

/** The backup was read to its end a moment ago, so equal files are as good. */
async function refuseOtherFiles(
  { files }: ReadManifest,
  besideOfFile: (path: string) => string,
): Promise<void> {
  for (const { path, sha256 } of files) {
    if ((await sha256Of(besideOfFile(path))) !== sha256) {
      throw new JobFailure(`${path} was not copied as it is in the backup.`)
    }
  }
}

function besideOf(path: string, parts: readonly Part[], moves: readonly { fresh: string }[]): string {
  const index = parts.findIndex(
    ({ within }) => within === '' || path === within || path.startsWith(`${within}/`),
  )
  const within = parts[index]?.within ?? ''
  return join(moves[index]?.fresh ?? '', path.slice(within.length))
}

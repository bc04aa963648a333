import { cp, mkdir, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import type { BackupDriverFor, ParquetSource, SqliteSource, StepHook } from '@binnacle/stores'
import {
  ARCHIVE,
  DATABASE,
  type JobControl,
  JobFailure,
  moveWithTemporaries,
  pathExists,
  sha256Of,
  swapIn,
  sync,
  syncTree,
} from '@binnacle/stores'
import { verifyBackup } from './make-backup.ts'
import { CONTENTS, type ReadManifest } from './manifest.ts'
import type { Vault } from './vault.ts'

/** One of Binnacle's own stores, not open. */
export type OwnSource = SqliteSource | ParquetSource

export interface OwnRestore {
  vault: Vault
  driverFor: BackupDriverFor
  /** The backup's name. */
  name: string
  source: OwnSource
  /** A new folder for the previous files. */
  keepIn: string
  /** Throws if the copies, a file or folder for each part, must not take the place of the store. */
  check?: (copies: readonly string[]) => Promise<void>
  step?: StepHook
}

/**
 * Restores an own store while no server runs. The previous files are kept unchanged, because they may be damaged. An
 * interrupted swap is completed at the next start.
 */
export async function restoreOwn(order: OwnRestore, control: JobControl): Promise<ReadManifest> {
  const { vault, driverFor, name, source, step = () => {} } = order
  await step('verify the backup')
  const manifest = await verifyBackup(vault.at(name), driverFor(source.type), control)
  if (manifest.type !== source.type) throw new JobFailure('The backup belongs to another type of database.')
  const parts = partsOf(source)
  await step('keep what there is')
  await keep(order.keepIn, [...parts.map(({ place }) => place), ...parts.flatMap(({ beside }) => beside)])
  const moves = parts.map(({ place }) => moveWithTemporaries(place))
  const gone = parts.flatMap(({ beside }) =>
    beside.map((place) => ({ ...moveWithTemporaries(place), fresh: null })),
  )
  const note = join(vault.swaps, `${name}.json`)
  await swapIn({ note, moves: [...moves, ...gone], step }, async () => {
    await step('restore beside')
    for (const [index, { within }] of parts.entries()) {
      await copyPart(join(vault.at(name), CONTENTS, within), moves[index]?.fresh ?? '')
    }
    await step('verify beside')
    await refuseOtherFiles(manifest, (path) => besideOf(path, parts, moves))
    await order.check?.(moves.map(({ fresh }) => fresh))
  })
  return manifest
}

interface Part {
  place: string
  /** Path inside the contents of the backup; '' for all of them. */
  within: string
  /** Files of the old store that must not stay beside the new one. */
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
    if (await pathExists(place)) await cp(place, join(folder, basename(place)), { recursive: true })
  }
  await syncTree(folder)
  await sync(dirname(folder))
}

async function copyPart(from: string, to: string): Promise<void> {
  if (!(await pathExists(from))) return void (await mkdir(to))
  await cp(from, to, { recursive: true })
  await ((await stat(to)).isDirectory() ? syncTree(to) : sync(to))
}

/** Compares checksums only: the backup itself was just verified. */
async function refuseOtherFiles(
  { files }: ReadManifest,
  besideOfFile: (path: string) => string,
): Promise<void> {
  for (const { path, sha256 } of files) {
    if ((await sha256Of(besideOfFile(path))) !== sha256) {
      throw new JobFailure(`${path} was not copied correctly.`)
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

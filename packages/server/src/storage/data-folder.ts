import { access, constants, mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import * as z from 'zod'
import { StartRefusal } from './start-refusal.ts'

/** The format of the whole folder; raised only when an older server can no longer read it. */
const FORMAT = 1
const FORMAT_FILE = 'format.json'
const Format = z.object({ format: z.int().positive() })

const SQLITE_BUSY = 5

/** All state of one server. Only one server can have it open. */
export interface DataFolder {
  /** Joins names to a path inside the folder. */
  at(...names: string[]): string
  /** Releases the lock. The system releases it when the process ends. */
  release(): void
}

export async function openDataFolder(path: string): Promise<DataFolder> {
  await mkdir(path, { recursive: true, mode: 0o700 }).catch((fault) => refuseUnwritable(path, fault))
  await access(path, constants.R_OK | constants.W_OK | constants.X_OK).catch((fault) =>
    refuseUnwritable(path, fault),
  )
  const isNew = await isNewFolder(path)
  const lock = await holdLock(path)
  if (isNew) await writeFormat(path)
  return {
    at: (...names) => join(path, ...names),
    release: () => lock.close(),
  }
}

function refuseUnwritable(path: string, fault: NodeJS.ErrnoException): never {
  throw new StartRefusal(
    `The data folder ${path} cannot be written to (${fault.code}). Correct its permissions, or set BINNACLE_DATA to another folder.`,
  )
}

/** Returns whether the folder has no format file yet; refuses one that this version cannot read. */
async function isNewFolder(path: string): Promise<boolean> {
  const file = join(path, FORMAT_FILE)
  const content: unknown = await readFile(file, 'utf8').then(JSON.parse).catch(absentOrDamaged)
  if (content === 'absent') return true
  const found = Format.safeParse(content)
  if (!found.success) {
    throw new StartRefusal(
      `${file} is damaged: it should read {"format":${FORMAT}}. Restore it, or set BINNACLE_DATA to another folder.`,
    )
  }
  if (found.data.format > FORMAT) {
    throw new StartRefusal(
      `The data folder ${path} was written by a newer version of Binnacle (format ${found.data.format}; this one knows ${FORMAT}). Start that version, or set BINNACLE_DATA to another folder.`,
    )
  }
  return false
}

function absentOrDamaged(fault: NodeJS.ErrnoException): 'absent' | 'damaged' {
  return fault.code === 'ENOENT' ? 'absent' : 'damaged'
}

/** Writes under a temporary name first, so that a crash leaves the whole file or none. */
async function writeFormat(path: string): Promise<void> {
  const temporary = join(path, `${FORMAT_FILE}.new`)
  await writeFile(temporary, JSON.stringify({ format: FORMAT } satisfies z.input<typeof Format>), {
    flush: true,
  })
  await rename(temporary, join(path, FORMAT_FILE))
}

async function holdLock(path: string): Promise<DatabaseSync> {
  return lockFile(join(path, 'lock.sqlite')).catch((fault) => {
    if (fault.errcode !== SQLITE_BUSY) return refuseUnwritable(path, fault)
    throw new StartRefusal(
      `Another Binnacle server is already using the data folder ${path}. Stop it, or set BINNACLE_DATA to another folder.`,
    )
  })
}

/** The system releases the lock when the process ends, so there are no stale locks. */
async function lockFile(file: string): Promise<DatabaseSync> {
  const lock = new DatabaseSync(file, { timeout: 0 })
  lock.exec('PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE')
  return lock
}

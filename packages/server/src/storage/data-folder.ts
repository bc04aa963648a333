import { access, constants, mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import * as z from 'zod'
import { StartRefusal } from '#start-refusal.ts'

/** The form of the whole folder; raised only when an older server could no longer work on it. */
const FORMAT = 1
const FORMAT_FILE = 'format.json'
const Format = z.object({ format: z.int().positive() })

const SQLITE_BUSY = 5

/** All state of one server. While it is open no other server can open it. */
export interface DataFolder {
  /** The path of something in the folder. */
  at(...names: string[]): string
  /** Lets another server have it. A process that dies lets go by itself. */
  release(): void
}

export async function openDataFolder(path: string): Promise<DataFolder> {
  await mkdir(path, { recursive: true, mode: 0o700 }).catch((fault) => refuseUnwritable(path, fault))
  await access(path, constants.R_OK | constants.W_OK | constants.X_OK).catch((fault) =>
    refuseUnwritable(path, fault),
  )
  const isNew = await isWithoutFormat(path)
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

/** Tells a new folder from one that this version can work on; refuses every other. */
async function isWithoutFormat(path: string): Promise<boolean> {
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

/** Under a temporary name first: a crash leaves the whole file or none. */
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

/** The system drops the lock with the process, however it ends, so there is never a stale one to clear. */
async function lockFile(file: string): Promise<DatabaseSync> {
  const lock = new DatabaseSync(file, { timeout: 0 })
  lock.exec('PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE')
  return lock
}

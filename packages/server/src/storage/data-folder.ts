import { existsSync, statSync } from 'node:fs'
import { access, constants, mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import * as z from 'zod'
import { StartRefusal } from '#config/start-refusal.ts'
import { diskRefusal, type FreeSpace } from './disk-space.ts'
import { removeUnfinishedImports } from './unfinished-imports.ts'

/** The format of the whole folder; raised only when an older server can no longer read it. */
const FORMAT = 1
const FORMAT_FILE = 'format.json'
const Format = z.object({
  format: z.int().positive(),
  /** Files that a completed start has created; absent in folders of version 1.0.0. */
  stores: z.array(z.string()).optional(),
})
type Format = z.output<typeof Format>

const ADMIN_STORE = 'admin.sqlite'
/** The order history and the catalog are not among them: they can be created again. */
const STORES = [ADMIN_STORE, 'journal.sqlite']
/** Names an audit record, so the admin store has been there. */
export const AUDIT_HEAD_FILE = 'audit-head.json'
/** Those of a further embedded engine. */
export const ENGINE_STORES = ['journal.sqlite']

/** Where a restore of a one-file backup prepares its files; there only while it runs. */
export const RESTORING = '.restoring'

const SQLITE_BUSY = 5
const LOCK_FILE = 'lock.sqlite'

/** All state of one server. Only one server can have it open. */
export interface DataFolder {
  /** Joins names to a path inside the folder. */
  at(...names: string[]): string
  /** Refuses to start when a store that an earlier start created is missing or empty. A new one would hide the loss. */
  checkStores(): void
  /** Records that the stores exist, for checkStores of later starts. */
  recordStores(): Promise<void>
  /** Releases the lock. The system releases it when the process ends. */
  release(): void
}

export async function openDataFolder(
  path: string,
  freeSpace?: FreeSpace,
  stores: readonly string[] = STORES,
): Promise<DataFolder> {
  await mkdir(path, { recursive: true, mode: 0o700 }).catch((fault) => refuseUnwritable(path, fault))
  await access(path, constants.R_OK | constants.W_OK | constants.X_OK).catch((fault) =>
    refuseUnwritable(path, fault),
  )
  refuseHalfRestored(path)
  const found = await readFormat(path)
  // A new folder is judged before anything is written to it.
  if (found === undefined) await refuseFullDisk(path, freeSpace)
  const lock = await holdLock(path)
  try {
    // Held: nobody uploads. What earlier uploads left may be what fills the disk.
    removeUnfinishedImports(join(path, 'data-sets'))
    await refuseFullDisk(path, freeSpace)
  } catch (fault) {
    lock.close()
    throw fault
  }
  if (found === undefined) await writeFormat(path, { format: FORMAT })
  return {
    at: (...names) => join(path, ...names),
    checkStores: () => refuseMissing(found && findMissingStore(path, found, stores)),
    async recordStores() {
      if (found?.stores === undefined) await writeFormat(path, { format: FORMAT, stores: [...stores] })
    },
    release: () => lock.close(),
  }
}

/** A start would begin with an empty desk, or with a part of the restored one. */
function refuseHalfRestored(path: string): void {
  if (!existsSync(join(path, RESTORING))) return
  throw new StartRefusal(
    `A restore to ${path} has not ended, or was interrupted. Wait for it; or delete the folder and restore the backup again, or set BINNACLE_DATA to another folder.`,
  )
}

async function refuseFullDisk(path: string, freeSpace: FreeSpace | undefined): Promise<void> {
  const refusal = await diskRefusal(path, freeSpace)
  if (refusal !== undefined) throw refusal
}

export interface MissingStore {
  file: string
  /** A file without tables is as much a loss as none. */
  state: 'missing' | 'empty'
}

/** The first store that earlier starts have created and that is not there, or is there without its tables. */
export function findMissingStore(
  path: string,
  { stores }: Format,
  standard: readonly string[] = STORES,
): MissingStore | undefined {
  const hasRecords = standard.includes(ADMIN_STORE) && sizeOf(join(path, AUDIT_HEAD_FILE)) > 0
  const expected = stores ?? (existsSync(join(path, 'journal.sqlite')) ? standard : [])
  for (const name of hasRecords ? [ADMIN_STORE, ...expected] : expected) {
    const file = join(path, name)
    if (!existsSync(file)) return { file, state: 'missing' }
    // A first start that was killed can leave a journal without tables; the admin store is complete by then.
    const hasTables = stores !== undefined || name === ADMIN_STORE
    if (hasTables && isEmptyStore(file)) return { file, state: 'empty' }
  }
  return undefined
}

function sizeOf(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.size ?? 0
}

/** Whether an existing SQLite file has no tables. A file that cannot be read is not empty. */
export function isEmptyStore(file: string): boolean {
  // Not opened: SQLite deletes the write-ahead log of a file without bytes.
  if (sizeOf(file) === 0) return true
  let database: DatabaseSync | undefined
  try {
    database = new DatabaseSync(file, { readOnly: true })
    return database.prepare('SELECT 1 FROM sqlite_schema LIMIT 1').get() === undefined
  } catch {
    return false
  } finally {
    database?.close()
  }
}

function refuseMissing(missing: MissingStore | undefined): void {
  if (missing === undefined) return
  throw new StartRefusal(
    `${missing.file} is ${missing.state}, although earlier starts have used it. Put the file back, restore it with 'npm run restore', or set BINNACLE_DATA to another folder.`,
  )
}

function refuseUnwritable(path: string, fault: NodeJS.ErrnoException): never {
  throw new StartRefusal(
    `The data folder ${path} cannot be written to (${fault.code}). Correct its permissions, or set BINNACLE_DATA to another folder.`,
  )
}

/** Undefined for a new folder; refuses a format that this version cannot read. */
export async function readFormat(path: string): Promise<Format | undefined> {
  const file = join(path, FORMAT_FILE)
  const content: unknown = await readFile(file, 'utf8').then(JSON.parse).catch(absentOrDamaged)
  if (content === 'absent') return undefined
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
  return found.data
}

function absentOrDamaged(fault: NodeJS.ErrnoException): 'absent' | 'damaged' {
  return fault.code === 'ENOENT' ? 'absent' : 'damaged'
}

/** Writes under a temporary name first, so that a crash leaves the whole file or none. */
async function writeFormat(path: string, format: Format): Promise<void> {
  const temporary = join(path, `${FORMAT_FILE}.new`)
  await writeFile(temporary, JSON.stringify(format), { flush: true })
  await rename(temporary, join(path, FORMAT_FILE))
}

async function holdLock(path: string): Promise<DatabaseSync> {
  return lockFile(join(path, LOCK_FILE)).catch((fault) => {
    if (fault.errcode !== SQLITE_BUSY) return refuseUnwritable(path, fault)
    throw new StartRefusal(
      `Another Binnacle server is already using the data folder ${path}. Stop it, or set BINNACLE_DATA to another folder.`,
    )
  })
}

/** Whether a server uses the folder. Takes no lock. */
export function isLocked(path: string): boolean {
  if (!existsSync(join(path, LOCK_FILE))) return false
  const lock = new DatabaseSync(join(path, LOCK_FILE), { readOnly: true, timeout: 0 })
  try {
    lock.prepare('SELECT count(*) FROM sqlite_schema').get()
    return false
  } catch (fault) {
    return Object(fault).errcode === SQLITE_BUSY
  } finally {
    lock.close()
  }
}

/** The system releases the lock when the process ends, so there are no stale locks. */
async function lockFile(file: string): Promise<DatabaseSync> {
  const lock = new DatabaseSync(file, { timeout: 0 })
  lock.exec('PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE')
  return lock
}

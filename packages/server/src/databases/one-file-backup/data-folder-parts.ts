import type { Stats } from 'node:fs'
import { type FileHandle, mkdtemp, open, readdir, realpath, rm, stat } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { backup, DatabaseSync } from 'node:sqlite'
import { pathToFileURL } from 'node:url'
import { StartRefusal } from '#config/start-refusal.ts'
import { AUDIT_HEAD_FILE } from '#storage/data-folder.ts'
import { KEY_FILE } from '#storage/secret-box.ts'
import { isPartPath, type Part } from './parts.ts'

/**
 * The key of stored secrets, that with which runs are signed for workers, and its public part: workers sign their results
 * with a key derived from that file (BT-63). It is written again at every start.
 */
const KEY_FILES = [KEY_FILE, 'work-key.pem', 'work-key.pub']
/** What belongs to one machine, can be created again, or is a backup itself. */
const LEFT_OUT = ['logs', 'exports', 'backups', 'before-restore']
/** Of the folder, and of the folder of each further engine. */
const LOCK_FILE = 'lock.sqlite'
/** Of a NautilusTrader node, in the folder of its engine. */
const NODE_LOGS = /(^|\/)nautilus\/node\/logs$/
/** In every Python environment, which belongs to one path and is installed again by a command. */
const PYTHON_MARK = 'pyvenv.cfg'
/** Written in place while the server runs; each record has a checksum of its own, and a line that is cut is left out. */
const IN_PLACE = ['seconds/', AUDIT_HEAD_FILE, 'journal.sqlite.halted', 'commands.jsonl', 'history.jsonl']
const STAGING = '.saving-'
const STALE_STAGING_MS = 24 * 3_600_000
const SQLITE_MAGIC = Buffer.from('SQLite format 3\0')
const PAGES_PER_STEP = 1000
const PIECE_BYTES = 262_144

export interface PartsOptions {
  dataFolder: string
  /** Whether private keys are among the parts. */
  hasKeys: boolean
}

/**
 * All files of a data folder as of one moment, while a server writes to them. Read transactions on all SQLite files pin
 * their snapshots. The journal is pinned last: the audit log and the order history follow it and may be behind it, never
 * ahead. Every other file is replaced by a rename, so an open one does not change.
 */
export async function* partsOf({ dataFolder, hasKeys }: PartsOptions): AsyncGenerator<Part> {
  // Read before the admin store is pinned: it may name an earlier record than the store, never a later one.
  const auditHead = await openIfExists(join(dataFolder, AUDIT_HEAD_FILE))
  const paths = (await listFiles(dataFolder)).filter((path) => hasKeys || !KEY_FILES.includes(path))
  const databases = await pinAll(dataFolder, paths)
  const staging = await createStaging(dataFolder)
  try {
    for (const path of paths) {
      if (databases.has(path)) continue
      const handle = path === AUDIT_HEAD_FILE ? auditHead : await openIfExists(join(dataFolder, path))
      if (handle !== undefined) yield* filePart(path, handle)
    }
    for (const [path, database] of databases) yield* databasePart(path, database, staging)
  } finally {
    await auditHead?.close()
    for (const database of databases.values()) if (database.isOpen) database.close()
    await rm(staging, { recursive: true, force: true })
  }
}

/** The size of the largest SQLite file, which is copied inside the data folder. */
export async function largestDatabaseBytes(dataFolder: string): Promise<number> {
  let largest = 0
  for (const path of await listFiles(dataFolder)) {
    if (!(await isDatabase(join(dataFolder, path)))) continue
    largest = Math.max(largest, (await stat(join(dataFolder, path))).size)
  }
  return largest
}

async function listFiles(dataFolder: string): Promise<string[]> {
  const files = (await filesIn(dataFolder, '', [await realpath(dataFolder)])).sort()
  const refused = files.find((path) => !isPartPath(path))
  if (refused === undefined) return files
  throw new StartRefusal(
    `${join(dataFolder, refused)} cannot be saved under its name. Nothing was saved. Rename it without '\\'.`,
  )
}

/** Follows links, since a large folder may be on another disk. `above` are the folders on the way to this one. */
async function filesIn(dataFolder: string, folder: string, above: readonly string[]): Promise<string[]> {
  const entries = await readdir(join(dataFolder, folder), { withFileTypes: true })
  if (entries.some(({ name }) => name === PYTHON_MARK)) return []
  const files: string[] = []
  for (const entry of entries) {
    const path = folder === '' ? entry.name : `${folder}/${entry.name}`
    if (isLeftOut(path)) continue
    const place = join(dataFolder, path)
    const kind = entry.isSymbolicLink() ? await linkedFrom(place) : entry
    if (kind.isFile()) files.push(path)
    if (!kind.isDirectory()) continue
    const real = await realpath(place)
    if (above.includes(real))
      throw new StartRefusal(`${place} is a link to a folder that it is in. ${REMOVE}`)
    files.push(...(await filesIn(dataFolder, path, [...above, real])))
  }
  return files
}

const REMOVE = 'Nothing was saved. Remove the link.'

async function linkedFrom(link: string): Promise<Stats> {
  return stat(link).catch((fault) => {
    throw new StartRefusal(`${link} is a link that leads nowhere (${fault.code}). ${REMOVE}`)
  })
}

function isLeftOut(path: string): boolean {
  return LEFT_OUT.includes(path) || NODE_LOGS.test(path) || isTemporary(path) || basename(path) === LOCK_FILE
}

/** Unfinished files of the server begin with a dot or end with .new; SQLite's own are part of its snapshot. */
function isTemporary(path: string): boolean {
  const isUnfinished = path.split('/').some((step) => step.startsWith('.') || step.endsWith('.new'))
  return isUnfinished || /-(wal|shm|journal)$/.test(path)
}

async function pinAll(dataFolder: string, paths: readonly string[]): Promise<Map<string, DatabaseSync>> {
  const files: string[] = []
  for (const path of paths) if (await isDatabase(join(dataFolder, path))) files.push(path)
  const isJournal = (path: string) => Number(basename(path) === 'journal.sqlite')
  const pinned = new Map<string, DatabaseSync>()
  for (const path of files.sort((one, other) => isJournal(one) - isJournal(other))) {
    try {
      const database = new DatabaseSync(join(dataFolder, path), { readOnly: true, timeout: 5000 })
      pinned.set(path, database)
      database.exec('BEGIN')
      database.prepare('SELECT count(*) FROM sqlite_schema').get()
    } catch (fault) {
      for (const database of pinned.values()) database.close()
      throw new StartRefusal(
        `${join(dataFolder, path)} cannot be read (${Object(fault).message}). Nothing was saved. Restore it from a backup, or close the program that uses it.`,
      )
    }
  }
  return pinned
}

async function isDatabase(file: string): Promise<boolean> {
  const handle = await openIfExists(file)
  if (handle === undefined) return false
  const beginning = Buffer.alloc(SQLITE_MAGIC.length)
  await handle.read(beginning, 0, beginning.length, 0)
  await handle.close()
  return beginning.equals(SQLITE_MAGIC)
}

async function createStaging(dataFolder: string): Promise<string> {
  for (const name of (await readdir(dataFolder)).filter((one) => one.startsWith(STAGING))) {
    const left = await stat(join(dataFolder, name)).catch(() => undefined)
    const isStale = left !== undefined && Date.now() - left.mtimeMs > STALE_STAGING_MS
    if (isStale) await rm(join(dataFolder, name), { recursive: true, force: true })
  }
  return mkdtemp(join(dataFolder, STAGING))
}

async function* databasePart(path: string, database: DatabaseSync, staging: string): AsyncGenerator<Part> {
  const copy = join(staging, 'copy.sqlite')
  await backup(database, copy, { rate: PAGES_PER_STEP })
  database.close()
  checkIntegrity(copy, path)
  const handle = await open(copy, 'r')
  yield* filePart(path, handle)
  await rm(copy)
}

function checkIntegrity(copy: string, path: string): void {
  // Immutable: nobody else has the copy open, and no file is created beside it.
  const database = new DatabaseSync(new URL(`${pathToFileURL(copy)}?immutable=1`), { readOnly: true })
  try {
    const found = String(database.prepare('PRAGMA integrity_check(1)').get()?.integrity_check)
    if (found === 'ok') return
    throw new StartRefusal(`${path} is damaged (${found}). Nothing was saved. Restore it from a backup.`)
  } finally {
    database.close()
  }
}

async function* filePart(path: string, handle: FileHandle): AsyncGenerator<Part> {
  try {
    const before = await handle.stat()
    yield { path, bytes: before.size, contents: readAll(path, handle, before) }
  } finally {
    await handle.close()
  }
}

/** Reads the size that the file had at the beginning; refuses a file that changes meanwhile. */
async function* readAll(path: string, handle: FileHandle, before: Stats): AsyncGenerator<Buffer> {
  for (let at = 0; at < before.size; ) {
    const piece = Buffer.alloc(Math.min(PIECE_BYTES, before.size - at))
    const { bytesRead } = await handle.read(piece, 0, piece.length, at)
    if (bytesRead === 0) throw fileChanged(path)
    at += bytesRead
    yield piece.subarray(0, bytesRead)
  }
  const after = await handle.stat()
  const isInPlace = IN_PLACE.some((name) => path.startsWith(name) || path.includes(`/${name}`))
  if (!isInPlace && (after.mtimeMs !== before.mtimeMs || after.size !== before.size)) throw fileChanged(path)
}

function fileChanged(path: string): StartRefusal {
  return new StartRefusal(
    `${path} changed while it was read. Nothing was saved. Run the command again, or close the program that writes to it.`,
  )
}

async function openIfExists(file: string): Promise<FileHandle | undefined> {
  return open(file, 'r').catch((fault) => {
    if (fault.code === 'ENOENT') return undefined
    throw fault
  })
}

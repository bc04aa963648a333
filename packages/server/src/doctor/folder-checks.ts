import { existsSync } from 'node:fs'
import { access, constants, lstat, readdir, stat, statfs } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { StartRefusal } from '#config/start-refusal.ts'
import { findMissingStore, isLocked, readFormat } from '#storage/data-folder.ts'
import { diskRefusal } from '#storage/disk-space.ts'
import { type Finding, failure, ok, warning } from './finding.ts'

const FOLDER = 'Data folder'
const DISK = 'Disk'
const CLOCK = 'Clock'
const LOW_DISK_BYTES = 2_000_000_000
const FOR_OTHERS = 0o077
/** Clocks of network disks and of this machine differ a little. */
const CLOCK_TOLERANCE_MS = 60_000

/** Whether the folder can be used, by this user, in this version, and whether a server uses it now. Creates nothing. */
export async function checkFolder(path: string): Promise<Finding[]> {
  if (!existsSync(path)) return [await checkParent(path)]
  const denied = await access(path, constants.R_OK | constants.W_OK | constants.X_OK).then(
    () => undefined,
    (fault) => String(fault.code),
  )
  if (denied !== undefined) {
    return [
      failure(FOLDER, `${path} cannot be read and written (${denied})`, 'Correct its owner and permissions.'),
    ]
  }
  const format = await readFormat(path).then(
    (found) => found,
    (refusal) => refusal,
  )
  if (format instanceof StartRefusal) {
    return [failure(FOLDER, format.message, 'Start the version that wrote it, or restore a backup.')]
  }
  const missing = format && findMissingStore(path, format)
  if (missing !== undefined) {
    const remedy = "Put the file back, or restore it with 'npm run restore'."
    const text = `${missing.file} is ${missing.state}, although earlier starts have used it`
    return [failure(FOLDER, text, remedy)]
  }
  const used = isLocked(path) ? 'a server uses it now' : 'no server uses it now'
  return [ok(FOLDER, `${path}: ${used}`), ...(await checkModes(path))]
}

async function checkParent(path: string): Promise<Finding> {
  let parent = dirname(path)
  while (!existsSync(parent)) parent = dirname(parent)
  return access(parent, constants.W_OK | constants.X_OK).then(
    () => ok(FOLDER, `${path} does not exist yet; the first start creates it`),
    (fault) =>
      failure(
        FOLDER,
        `${path} does not exist and cannot be created in ${parent} (${fault.code})`,
        'Create it for the user of the server, or set BINNACLE_DATA to another folder.',
      ),
  )
}

async function checkModes(path: string): Promise<Finding[]> {
  const names = ['', ...(await readdir(path))]
  const open: string[] = []
  const foreign: string[] = []
  for (const name of names) {
    const entry = await lstat(join(path, name)).catch(() => undefined)
    if (entry === undefined) continue
    if ((entry.mode & FOR_OTHERS) !== 0) open.push(name || '.')
    if (process.getuid !== undefined && entry.uid !== process.getuid()) foreign.push(name || '.')
  }
  const subject = 'Permissions'
  if (foreign.length > 0) {
    const text = `${foreign.join(', ')} in ${path} belong to another user`
    return [warning(subject, text, 'Run this as the user of the server, or correct the owner with chown -R.')]
  }
  if (open.length > 0) {
    const text = `${open.join(', ')} in ${path} can be read by others`
    return [warning(subject, text, 'The next start corrects it; or run chmod -R go= on the folder.')]
  }
  return [ok(subject, 'all files are for their owner only')]
}

export async function checkDisk(path: string): Promise<Finding> {
  let folder = path
  while (!existsSync(folder)) folder = dirname(folder)
  const refusal = await diskRefusal(folder)
  const { bavail, bsize } = await statfs(folder)
  const text = `${Math.floor((bavail * bsize) / 1e6)} MB are free in ${folder}`
  const remedy = 'Delete old backups, exports and logs, or move the data folder to a larger disk.'
  if (refusal !== undefined) return failure(DISK, text, remedy)
  return bavail * bsize < LOW_DISK_BYTES ? warning(DISK, text, remedy) : ok(DISK, text)
}

/** A clock behind the newest record would write records out of order. */
export async function checkClock(path: string, now = Date.now()): Promise<Finding> {
  const names = ['journal.sqlite', 'journal.sqlite-wal', 'admin.sqlite', 'admin.sqlite-wal']
  const times = await Promise.all(
    names.map((name) =>
      stat(join(path, name)).then(
        ({ mtimeMs }) => mtimeMs,
        () => 0,
      ),
    ),
  )
  const newest = Math.max(...times)
  const shown = new Date(now).toISOString()
  if (newest <= now + CLOCK_TOLERANCE_MS) return ok(CLOCK, `${shown}, not behind the newest record`)
  return failure(
    CLOCK,
    `${shown} is behind the newest record of ${new Date(newest).toISOString()}`,
    'Correct the time of this machine and let it follow a time server (timedatectl set-ntp true).',
  )
}

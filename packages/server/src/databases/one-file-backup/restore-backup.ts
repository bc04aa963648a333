import { createWriteStream, existsSync } from 'node:fs'
import { mkdir, readdir, rename, rm, rmdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { sync, syncTree } from '@binnacle/stores'
import { StartRefusal } from '#config/start-refusal.ts'
import { createAuditVerifier } from '#storage/admin/audit-verifier.ts'
import { RESTORING, readFormat } from '#storage/data-folder.ts'
import { checkOwnStores, nameOfStore, ownStoresIn } from '#storage/own-store-check.ts'
import { KEY_FILE } from '#storage/secret-box.ts'
import type { Part, PartDigest } from './parts.ts'
import { readBackup } from './save-backup.ts'
import { damagedFileRefusal } from './sealed-file.ts'

/** Lists the stores that must be there, so a server never starts on a folder that was moved in half. */
const FIRST = 'format.json'

export interface RestoreOptions {
  file: string
  /** New or empty. */
  folder: string
  passphrase: string | undefined
}

export interface RestoredBackup {
  parts: PartDigest[]
  hasKey: boolean
  auditRecords: number
}

/**
 * Restores a backup to a new data folder. Files appear under their names only after all were verified: checksums, every
 * page and journal entry, and the audit chain. A failure removes everything that was written.
 */
export async function restoreBackup({ file, folder, passphrase }: RestoreOptions): Promise<RestoredBackup> {
  const isNew = !existsSync(folder)
  await refuseOccupied(folder)
  const staging = join(folder, RESTORING)
  try {
    await mkdir(staging, { recursive: true, mode: 0o700 })
    const parts = await readBackup({ file, passphrase }, (part) => write(staging, part))
    const auditRecords = await verify(staging, file)
    // Reading creates them, and they are empty.
    for (const name of await readdir(staging)) if (/-(wal|shm)$/.test(name)) await rm(join(staging, name))
    await syncTree(staging)
    await moveUp(staging, folder)
    return { parts, hasKey: parts.some(({ path }) => path === KEY_FILE), auditRecords }
  } catch (fault) {
    await rm(staging, { recursive: true, force: true })
    if (isNew) await rmdir(folder).catch(() => {})
    throw describe(fault, folder)
  }
}

async function refuseOccupied(folder: string): Promise<void> {
  const names = await readdir(folder).catch((fault): string[] => {
    if (fault.code === 'ENOENT') return []
    throw describe(fault, folder)
  })
  if (names.length === 0) return
  if (names.includes(RESTORING)) return removeInterrupted(folder, names)
  throw new StartRefusal(
    `The folder ${folder} is not empty, so nothing was restored. Choose a new or an empty folder with --to.`,
  )
}

/** What an interrupted restore has left. Once files have their names, only a person may delete them. */
async function removeInterrupted(folder: string, names: readonly string[]): Promise<void> {
  if (names.length === 1) return rm(join(folder, RESTORING), { recursive: true, force: true })
  throw new StartRefusal(
    `A restore to ${folder} was interrupted while it moved its files, so the folder is incomplete. Delete the folder and restore again, or choose another one with --to.`,
  )
}

async function write(staging: string, { path, contents }: Part): Promise<void> {
  const place = join(staging, path)
  await mkdir(dirname(place), { recursive: true, mode: 0o700 })
  await pipeline(contents, createWriteStream(place, { flags: 'wx', mode: 0o600 }))
}

/** Reads the restored stores in full. Returns the number of audit records. */
async function verify(staging: string, file: string): Promise<number> {
  if ((await readFormat(staging)) === undefined) throw damagedFileRefusal(file)
  const at = (name: string) => join(staging, name)
  const checks = await checkOwnStores(await ownStoresIn(staging))
  for (const check of checks) {
    const { fault } = check
    if (fault === undefined || !existsSync(check.file)) continue
    throw new StartRefusal(
      `The ${nameOfStore(check)} store in ${file} does not verify: ${fault} Nothing was restored.`,
    )
  }
  const { head, fault } = await createAuditVerifier(at('admin.sqlite'))()
  if (fault !== undefined) {
    throw new StartRefusal(`The audit log in ${file} does not verify: ${fault.detail} Nothing was restored.`)
  }
  return head?.seq ?? 0
}

async function moveUp(staging: string, folder: string): Promise<void> {
  const names = (await readdir(staging)).filter((name) => name !== FIRST)
  for (const name of [FIRST, ...names]) await rename(join(staging, name), join(folder, name))
  await rmdir(staging)
  await sync(folder)
}

function describe(fault: unknown, folder: string): unknown {
  const { code, path } = Object(fault)
  if (code === 'ENOSPC' || code === 'EDQUOT' || code === 'EFBIG') {
    return new StartRefusal(
      `The disk is full, so nothing was restored. Free some space in ${folder}, or choose another folder.`,
    )
  }
  if (code === 'EACCES' || code === 'EROFS' || code === 'EPERM' || code === 'ENOTDIR') {
    return new StartRefusal(`${path ?? folder} cannot be used (${code}). Nothing was restored.`)
  }
  return fault
}

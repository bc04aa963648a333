import { createReadStream, createWriteStream, existsSync } from 'node:fs'
import { rename, rm, stat } from 'node:fs/promises'
import { basename, dirname, relative } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { constants, createGunzip, createGzip } from 'node:zlib'
import { pathExists, sync } from '@binnacle/stores'
import { StartRefusal } from '#config/start-refusal.ts'
import { diskRefusal, type FreeSpace } from '#storage/disk-space.ts'
import { KEY_FILE } from '#storage/secret-box.ts'
import { largestDatabaseBytes, partsOf } from './data-folder-parts.ts'
import { type Part, type PartDigest, pack, unpack } from './parts.ts'
import { damagedFileRefusal, type SealOptions, seal, unseal } from './sealed-file.ts'

export interface SaveOptions extends SealOptions {
  dataFolder: string
  /** A new file outside the data folder. */
  file: string
  freeSpace?: FreeSpace
}

export interface SavedBackup {
  parts: PartDigest[]
  bytes: number
  hasKey: boolean
}

/**
 * Saves a data folder as one file while its server may run, and reads the file back before it gets its name. Without a
 * passphrase it is not encrypted, and private keys are left out.
 */
export async function saveBackup({
  dataFolder,
  file,
  passphrase,
  cost,
  freeSpace,
}: SaveOptions): Promise<SavedBackup> {
  await refuseUnsuitable(dataFolder, file)
  const needed = await largestDatabaseBytes(dataFolder)
  const fullDisk = await diskRefusal(dataFolder, freeSpace, needed)
  if (fullDisk !== undefined) throw fullDisk
  const temporary = `${file}.new`
  try {
    await pipeline(
      pack(partsOf({ dataFolder, hasKeys: passphrase !== undefined })),
      createGzip({ level: constants.Z_BEST_SPEED }),
      (source) => seal(source, { passphrase, cost }),
      createWriteStream(temporary, { flags: 'wx', mode: 0o600, flush: true }),
    )
    const parts = await readBackup({ file: temporary, passphrase }, skip)
    await rename(temporary, file)
    await sync(dirname(file))
    const hasKey = parts.some(({ path }) => path === KEY_FILE)
    return { parts, bytes: (await stat(file)).size, hasKey }
  } catch (fault) {
    if (Object(fault).code !== 'EEXIST') await rm(temporary, { force: true })
    throw describe(fault, { temporary, folder: dirname(file) })
  }
}

/** Reads a backup file from its beginning to its end; every checksum is compared. */
export async function readBackup(
  { file, passphrase }: { file: string; passphrase: string | undefined },
  take: (part: Part) => Promise<void>,
): Promise<PartDigest[]> {
  let parts: PartDigest[] = []
  await pipeline(
    createReadStream(file),
    (source) => unseal(source, { file, passphrase }),
    createGunzip(),
    async (source) => {
      parts = await unpack(source, take, () => damagedFileRefusal(file))
    },
  ).catch((fault) => {
    const { code, path } = Object(fault)
    if (path === file) throw new StartRefusal(`${file} cannot be read (${code}).`)
    // Only a crafted file fails in gunzip: the bytes were authenticated before.
    throw String(code).startsWith('Z_') ? damagedFileRefusal(file) : fault
  })
  return parts
}

export async function skip({ contents }: Part): Promise<void> {
  for await (const _ of contents);
}

async function refuseUnsuitable(dataFolder: string, file: string): Promise<void> {
  if (!existsSync(`${dataFolder}/format.json`)) {
    throw new StartRefusal(
      `There is no data folder at ${dataFolder}. Set BINNACLE_DATA to the data folder of the server.`,
    )
  }
  if (!relative(dataFolder, file).startsWith('..')) {
    throw new StartRefusal(`${file} is inside the data folder ${dataFolder}. Save to another folder.`)
  }
  if (await pathExists(file)) {
    throw new StartRefusal(`${file} exists already. Choose another name; nothing was saved.`)
  }
  if (!(await pathExists(dirname(file)))) {
    throw new StartRefusal(`The folder ${dirname(file)} does not exist. Create it, or choose another one.`)
  }
}

function describe(fault: unknown, { temporary, folder }: { temporary: string; folder: string }): unknown {
  const { code, errcode } = Object(fault)
  if (code === 'ENOSPC' || code === 'EDQUOT' || code === 'EFBIG' || errcode === SQLITE_FULL) {
    return new StartRefusal(
      `The disk is full, so nothing was saved. Free some space in ${folder}, or choose another folder.`,
    )
  }
  if (code === 'EACCES' || code === 'EROFS' || code === 'EPERM') {
    return new StartRefusal(`${folder} cannot be written to (${code}). Choose another folder.`)
  }
  if (code === 'EEXIST') {
    return new StartRefusal(
      `${basename(temporary)} is in ${folder}: another backup is being saved under this name, or one was interrupted. Wait for it, or delete the file.`,
    )
  }
  return fault
}

const SQLITE_FULL = 13

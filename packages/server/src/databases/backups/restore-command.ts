import { existsSync } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { createBackupDrivers, finishSwaps, type JobControl, JobFailure } from '@binnacle/stores'
import { parseConfig } from '#config/config.ts'
import { endWithSentence, StartRefusal } from '#config/start-refusal.ts'
import { type OwnStore, ownStoresIn } from '#databases/backup-subjects.ts'
import { sizeText } from '#databases/size-text.ts'
import { createAuditVerifier } from '#storage/admin/audit-verifier.ts'
import { type AdminStore, openAdminStore } from '#storage/admin-store.ts'
import { serverAuditContext } from '#storage/audit/audit-context.ts'
import { type DataFolder, isEmptyStore, openDataFolder } from '#storage/data-folder.ts'
import { checkOwnStores } from '#storage/own-store-check.ts'
import { raiseSequences, readSequences } from '#storage/sequences.ts'
import { type ReadManifest, readManifest, sizeOf } from './manifest.ts'
import { type OwnSource, restoreOwn } from './restore-own.ts'
import { openVault, type Vault } from './vault.ts'

const TO_RESTORE = "Stop the server and run 'npm run restore -- NAME' to restore one."

/** Lists the backups of Binnacle's own stores, or restores the named one. Returns the text to print. */
export async function restoreCommand(dataFolder: string, name: string | undefined): Promise<string> {
  const stores = ownStoresIn(dataFolder)
  if (!existsSync(join(dataFolder, 'backups'))) {
    throw new StartRefusal(
      `There are no backups in the data folder ${dataFolder}. Set BINNACLE_DATA to the data folder of the server.`,
    )
  }
  if (name === undefined) {
    return listOf(dataFolder, await readOwn(await openVault(join(dataFolder, 'backups')), stores))
  }
  // The lock ensures that no server runs or starts meanwhile.
  const folder = await openDataFolder(dataFolder)
  try {
    const vault = await openVault(folder.at('backups'))
    await finishSwaps(vault.swaps)
    const manifests = await readOwn(vault, stores)
    const chosen = manifests.find((manifest) => manifest.name === name)
    if (chosen === undefined) {
      throw new StartRefusal(
        `There is no backup '${name}' of Binnacle's own stores. ${listOf(dataFolder, manifests)}`,
      )
    }
    return await putBack(folder, vault, chosen)
  } finally {
    folder.release()
  }
}

async function putBack(folder: DataFolder, vault: Vault, chosen: ReadManifest): Promise<string> {
  const store = ownStoresIn(folder.at()).find(({ id }) => id === chosen.connection)
  if (store === undefined)
    throw new StartRefusal(`'${chosen.name}' is not a backup of Binnacle's own stores.`)
  const keepIn = folder.at('before-restore', new Date().toISOString().replaceAll(':', '-'))
  // Our own stores are SQLite files and Parquet folders.
  const source = store.source as OwnSource
  const check = (copies: readonly string[]) => checkContents(store, copies)
  await restoreOwn(
    { vault, driverFor: createBackupDrivers({ path: '' }), name: chosen.name, source, keepIn, check },
    NO_PROGRESS,
  ).catch((fault) => {
    if (!(fault instanceof JobFailure)) throw fault
    throw new StartRefusal(`${fault.message} Nothing was changed.`)
  })
  if (store.role === 'journal') await putOrdersAside(store, keepIn)
  if (store.role === 'admin')
    raiseSequences(folder.at('admin.sqlite'), readSequences(join(keepIn, 'admin.sqlite')))
  const restored = `${store.name} was restored from the backup of ${chosen.created_at}. The previous files are in ${keepIn}.`
  const obstacle = await record(folder, store, chosen)
  return obstacle === undefined ? restored : `${restored} The restore is not in the audit log: ${obstacle}`
}

/**
 * MAINT-44: reads the copy as the check of the own stores does, since a backup whose files and manifest were both changed
 * matches its checksums.
 */
async function checkContents(
  { role }: OwnStore,
  [file = '', archiveFolder = '']: readonly string[],
): Promise<void> {
  if (role === 'catalog') return
  const at = (store: string) => (store === role ? file : '')
  const checks = await checkOwnStores({
    adminFile: at('admin'),
    samplesFile: at('samples'),
    embedded: { journalFile: at('journal'), archiveFolder, ordersFile: at('orders') },
  })
  const fault = checks.find(({ store }) => store === role)?.fault ?? (await auditFault(role, file))
  // Reading creates them, and they are empty.
  for (const part of ['-wal', '-shm']) await rm(`${file}${part}`, { force: true })
  if (fault !== undefined)
    throw new JobFailure(`The backup does not verify: ${fault.replace(file, 'its database')}`)
}

async function auditFault(role: OwnStore['role'], file: string): Promise<string | undefined> {
  return role === 'admin' ? (await createAuditVerifier(file)()).fault?.detail : undefined
}

/** The order history is derived from the journal and rebuilt at the next start, so the newer one is moved away. */
async function putOrdersAside({ folder }: OwnStore, keepIn: string): Promise<void> {
  for (const part of ['', '-wal', '-shm']) {
    const name = `orders.sqlite${part}`
    if (existsSync(join(folder, name))) await rename(join(folder, name), join(keepIn, name))
  }
}

const NO_PROGRESS: JobControl = { signal: new AbortController().signal, progress() {}, log() {} }

/** Returns why the restore cannot be recorded, which the next start refuses too. */
async function record(
  folder: DataFolder,
  { id }: OwnStore,
  { name }: ReadManifest,
): Promise<string | undefined> {
  const admin = await openRecorded(folder)
  if (admin instanceof StartRefusal) return admin.message
  const act = { ...serverAuditContext('restore.command'), actor: 'local', role: 'admin' }
  await admin.audit.record(act, {
    entity: 'connection',
    target: id,
    before: null,
    after: { restore_of: name },
  })
  await admin.close()
  return undefined
}

async function openRecorded(folder: DataFolder): Promise<AdminStore | StartRefusal> {
  const file = folder.at('admin.sqlite')
  // A new store in the place of a missing or empty one would hide its loss.
  if (!existsSync(file) || isEmptyStore(file)) return new StartRefusal(`${file} is missing or empty.`)
  try {
    return await openAdminStore(file)
  } catch (refusal) {
    if (refusal instanceof StartRefusal) return refusal
    throw refusal
  }
}

/** Reads the manifests, newest first. The catalogue itself may be what is restored. */
async function readOwn(vault: Vault, stores: readonly OwnStore[]): Promise<ReadManifest[]> {
  const ids = stores.map(({ id }) => id)
  const names = await vault.names()
  const read = await Promise.all(names.map((name) => readManifest(vault.at(name)).catch(() => undefined)))
  return read
    .filter((manifest) => manifest !== undefined)
    .filter(({ connection }) => ids.includes(connection))
    .sort((one, other) => other.created_at.localeCompare(one.created_at))
}

function listOf(dataFolder: string, manifests: readonly ReadManifest[]): string {
  if (manifests.length === 0) return `There are no backups of Binnacle's own stores in ${dataFolder} yet.`
  const lines = manifests.map(
    (manifest) =>
      `  ${manifest.name}  ${manifest.connection_name}, ${manifest.created_at}, ${sizeText(sizeOf(manifest))}`,
  )
  return [
    `Backups of Binnacle's own stores in ${dataFolder}, the newest first. ${TO_RESTORE}`,
    ...lines,
  ].join('\n')
}

async function runFromEnvironment(): Promise<void> {
  process.umask(0o077)
  const output = await restoreCommand(parseConfig(process.env).dataFolder, process.argv[2])
  process.stdout.write(`${output}\n`)
}

if (import.meta.main) await runFromEnvironment().catch(endWithSentence)

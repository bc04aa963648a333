import { existsSync } from 'node:fs'
import { rename } from 'node:fs/promises'
import { join } from 'node:path'
import { actOfServer } from '#audit/act.ts'
import { createKinds } from '#backups/kinds.ts'
import { type ReadManifest, readManifest, sizeOf } from '#backups/manifest.ts'
import { type OwnSource, restoreOwn } from '#backups/restore-own.ts'
import { settleSwaps } from '#backups/swaps.ts'
import { openVault, type Vault } from '#backups/vault.ts'
import { parseConfig } from '#config.ts'
import { type OwnStore, ownStoresIn } from '#database/backup-subjects.ts'
import { type JobControl, JobFailure } from '#jobs/job.ts'
import { sizeText } from '#maintenance/size-text.ts'
import { endWithSentence, StartRefusal } from '#start-refusal.ts'
import { openAdminStore } from '#storage/admin-store.ts'
import { type DataFolder, openDataFolder } from '#storage/data-folder.ts'

const TO_RESTORE = "'npm run restore -- NAME' puts one back while no server runs."

/** Without a name lists the backups of Binnacle's own stores; with one puts it back. Tells what to show. */
export async function restoreCommand(dataFolder: string, name: string | undefined): Promise<string> {
  const stores = ownStoresIn(dataFolder)
  if (name === undefined) return listOf(await readOwn(await openVault(join(dataFolder, 'backups')), stores))
  // The lock makes sure that no server has the stores open, and none can start meanwhile.
  const folder = await openDataFolder(dataFolder)
  try {
    const vault = await openVault(folder.at('backups'))
    await settleSwaps(vault.swaps)
    const manifests = await readOwn(vault, stores)
    const chosen = manifests.find((manifest) => manifest.name === name)
    if (chosen === undefined) {
      throw new StartRefusal(`There is no backup '${name}' of Binnacle's own stores. ${listOf(manifests)}`)
    }
    return await putBack(folder, vault, chosen)
  } finally {
    folder.release()
  }
}

async function putBack(folder: DataFolder, vault: Vault, chosen: ReadManifest): Promise<string> {
  const store = ownStoresIn(folder.at()).find(({ id }) => id === chosen.connection)
  if (store === undefined) throw new StartRefusal(`'${chosen.name}' is of no store of Binnacle's own.`)
  const keepIn = folder.at('before-restore', new Date().toISOString().replaceAll(':', '-'))
  // Our own stores are SQLite files and Parquet folders.
  const source = store.source as OwnSource
  await restoreOwn(
    { vault, kindOf: createKinds({ path: '' }), name: chosen.name, source, keepIn },
    QUIET,
  ).catch((fault) => {
    if (!(fault instanceof JobFailure)) throw fault
    throw new StartRefusal(`${fault.message} Nothing was changed.`)
  })
  if (store.id === JOURNAL) await putOrdersAside(folder, keepIn)
  await record(folder, store, chosen)
  return `${store.name} is as it was at ${chosen.created_at}. What it was before is kept in ${keepIn}.`
}

const JOURNAL = 'binnacle-journal'

/** The order history follows from the journal and is made anew at the next start; the one there knows too much. */
async function putOrdersAside(folder: DataFolder, keepIn: string): Promise<void> {
  for (const part of ['', '-wal', '-shm']) {
    const name = `orders.sqlite${part}`
    if (existsSync(folder.at(name))) await rename(folder.at(name), join(keepIn, name))
  }
}

const QUIET: JobControl = { signal: new AbortController().signal, progress() {}, log() {} }

async function record(folder: DataFolder, { id }: OwnStore, { name }: ReadManifest): Promise<void> {
  const admin = await openAdminStore(folder.at('admin.sqlite'))
  const act = { ...actOfServer('restore.command'), actor: 'local', role: 'admin' }
  await admin.audit.record(act, {
    entity: 'connection',
    target: id,
    before: null,
    after: { restore_of: name },
  })
  await admin.close()
}

/** From the manifests, since the catalogue may be what has to be restored. The newest first. */
async function readOwn(vault: Vault, stores: readonly OwnStore[]): Promise<ReadManifest[]> {
  const ids = stores.map(({ id }) => id)
  const names = await vault.names()
  const read = await Promise.all(names.map((name) => readManifest(vault.at(name)).catch(() => undefined)))
  return read
    .filter((manifest) => manifest !== undefined)
    .filter(({ connection }) => ids.includes(connection))
    .sort((one, other) => other.created_at.localeCompare(one.created_at))
}

function listOf(manifests: readonly ReadManifest[]): string {
  if (manifests.length === 0) return "There are no backups of Binnacle's own stores yet."
  const lines = manifests.map(
    (manifest) =>
      `  ${manifest.name}  ${manifest.connection_name}, ${manifest.created_at}, ${sizeText(sizeOf(manifest))}`,
  )
  return [`Backups of Binnacle's own stores, the newest first. ${TO_RESTORE}`, ...lines].join('\n')
}

async function runFromEnvironment(): Promise<void> {
  const told = await restoreCommand(parseConfig(process.env).dataFolder, process.argv[2])
  process.stdout.write(`${told}\n`)
}

if (import.meta.main) await runFromEnvironment().catch(endWithSentence)

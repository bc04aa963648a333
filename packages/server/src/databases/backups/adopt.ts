import { JobFailure } from '@binnacle/stores'
import type { BackupsStore, NewBackupRow } from '#storage/admin/backups-store.ts'
import { serverAuditContext } from '#storage/audit/audit-context.ts'
import { checkFiles, type ReadManifest, readManifest, sizeOf } from './manifest.ts'
import type { Vault } from './vault.ts'

/**
 * Adds complete backups that have no row to the catalogue: the server was killed before the last step, or the catalogue
 * itself was restored. They keep their ids and belong to the connection whose identity they carry.
 */
export async function adoptOrphans(
  vault: Vault,
  store: BackupsStore,
  note: (event: string, message: string) => void,
): Promise<void> {
  const known = new Set((await store.list()).map(({ name }) => name))
  const orphans: ReadManifest[] = []
  for (const name of await vault.names()) {
    if (known.has(name)) continue
    const manifest = await readWhole(vault.at(name)).catch((fault) => {
      if (!(fault instanceof JobFailure)) throw fault
      note('backup.strange', `${name}: ${fault.message}`)
    })
    if (manifest?.name === name) orphans.push(manifest)
  }
  // A backup without an id must not take the id of another.
  for (const manifest of orphans.sort((one, other) => (one.id ?? Infinity) - (other.id ?? Infinity))) {
    const { id, ...row } = rowOf(manifest, await ownerOf(manifest, store))
    const isFree = id !== undefined && (await store.find(id)) === undefined
    await store.add(serverAuditContext('backups.adopt'), isFree ? { ...row, id } : row)
  }
}

/** An own or configured store's name is its identity; a number alone proves nothing. */
async function ownerOf(manifest: ReadManifest, store: BackupsStore): Promise<string> {
  if (manifest.identity !== undefined) return manifest.identity
  if (!/^\d/.test(manifest.connection)) return manifest.connection
  return (await store.ownerOf(manifest)) ?? ''
}

export function rowOf(manifest: ReadManifest, identity: string): NewBackupRow {
  const { id, name, connection, connection_name, type, backup_type, created_at, sha256 } = manifest
  return {
    id,
    name,
    connection,
    connection_name,
    type,
    backup_type,
    created_at,
    identity,
    bytes: sizeOf(manifest),
    status: 'completed',
    manifest_sha256: sha256,
    target: manifest.target ?? '',
  }
}

async function readWhole(folder: string): Promise<ReadManifest> {
  const manifest = await readManifest(folder)
  await checkFiles(folder, manifest, new AbortController().signal)
  return manifest
}

import { JobFailure } from '@binnacle/stores'
import type { BackupRow } from '#storage/admin/admin-tables.ts'
import type { BackupsStore } from '#storage/admin/backups-store.ts'
import { serverAuditContext } from '#storage/audit/audit-context.ts'
import { checkFiles, type ReadManifest, readManifest, sizeOf } from './manifest.ts'
import type { Vault } from './vault.ts'

/**
 * Adds complete backups that have no row to the catalogue: the server was killed before the last step, or the catalogue
 * itself was restored.
 */
export async function adoptOrphans(
  vault: Vault,
  store: BackupsStore,
  note: (event: string, message: string) => void,
): Promise<void> {
  const known = new Set((await store.list()).map(({ name }) => name))
  for (const name of await vault.names()) {
    if (known.has(name)) continue
    const manifest = await readWhole(vault.at(name)).catch((fault) => {
      if (!(fault instanceof JobFailure)) throw fault
      note('backup.strange', `${name}: ${fault.message}`)
    })
    if (manifest?.name === name) await store.add(serverAuditContext('backups.adopt'), rowOf(manifest))
  }
}

export function rowOf(manifest: ReadManifest): Omit<BackupRow, 'id'> {
  const { name, connection, connection_name, type, backup_type, created_at, sha256 } = manifest
  return {
    ...{ name, connection, connection_name, type, backup_type, created_at },
    bytes: sizeOf(manifest),
    status: 'completed',
    manifest_sha256: sha256,
  }
}

async function readWhole(folder: string): Promise<ReadManifest> {
  const manifest = await readManifest(folder)
  await checkFiles(folder, manifest, new AbortController().signal)
  return manifest
}

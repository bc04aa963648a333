import type { ConnectionConfig, Driver, FolderAccess } from '#driver.ts'
import { asUnreachable, StoreRefusal } from '#store-refusal.ts'
import { createWorkerDriver } from '#worker/worker-driver.ts'
import { parquetFolderOf } from './folder.ts'

export function createParquetDriver(config: ConnectionConfig, access: FolderAccess): Driver {
  if (config.writable) throw NEVER_WRITTEN
  return createWorkerDriver({
    kind: 'parquet',
    capabilities: {
      language: 'sql',
      write: false,
      explain: true,
      sort: true,
      filter: true,
      backup: true,
      restore: false,
    },
    workerConfig: () => ({ kind: 'parquet', folder: asUnreachable(() => parquetFolderOf(config, access)) }),
  })
}

const NEVER_WRITTEN = new StoreRefusal(
  'request.invalid',
  'Parquet connections are read-only. Switch Writable off.',
  [{ field: 'body.writable', message: 'must be false: Parquet connections are read-only' }],
)

import type { Driver, FolderAccess, Target } from '#driver.ts'
import { asUnreachable, StoreRefusal } from '#store-refusal.ts'
import { createWorkerDriver } from '#worker/worker-driver.ts'
import { parquetFolderOf } from './folder.ts'

export function createParquetDriver(target: Target, access: FolderAccess): Driver {
  if (target.writable) throw NEVER_WRITTEN
  return createWorkerDriver({
    kind: 'parquet',
    can: {
      language: 'sql',
      write: false,
      explain: true,
      sort: true,
      filter: true,
      backup: true,
      restore: false,
    },
    target: () => ({ kind: 'parquet', folder: asUnreachable(() => parquetFolderOf(target, access)) }),
  })
}

const NEVER_WRITTEN = new StoreRefusal(
  'request.invalid',
  'Parquet connections are read-only. Switch Writable off.',
  [{ field: 'body.writable', message: 'must be false: Parquet connections are read-only' }],
)

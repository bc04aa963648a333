import type { Driver, Places, Target } from '#database/drivers/driver.ts'
import { createHostedDriver } from '#database/drivers/hosted/hosted-driver.ts'
import { StoreRefusal, unreachableNow } from '#database/drivers/store-refusal.ts'
import { parquetFolderOf } from './parquet-folder.ts'

export function createParquetDriver(target: Target, places: Places): Driver {
  if (target.writable) throw NEVER_WRITTEN
  return createHostedDriver({
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
    place: () => ({ kind: 'parquet', place: unreachableNow(() => parquetFolderOf(target, places)) }),
  })
}

const NEVER_WRITTEN = new StoreRefusal(
  'request.invalid',
  'Parquet files are only read here. Add the connection without writable.',
  [{ field: 'body.writable', message: 'must be false: Parquet files are only read' }],
)

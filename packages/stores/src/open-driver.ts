import { createParquetDriver } from '#parquet/driver.ts'
import { parquetFolderOf } from '#parquet/folder.ts'
import { createPostgresDriver } from '#postgres/driver.ts'
import { createRedisDriver } from '#redis/driver.ts'
import { createSqliteDriver, sqliteFileOf } from '#sqlite/driver.ts'

import { refuseForeignHost } from './allowed-hosts.ts'
import type { Abilities, Driver, FolderAccess, StoreKind, Target } from './driver.ts'
import { StoreRefusal } from './store-refusal.ts'

type OpenDriver = (target: Target, access: FolderAccess) => Driver

const DRIVERS: Record<StoreKind, OpenDriver> = {
  sqlite: createSqliteDriver,
  postgresql: createPostgresDriver,
  redis: createRedisDriver,
  parquet: createParquetDriver,
}

/** Creates the driver of a connection without connecting. Throws a StoreRefusal for an invalid target. */
export function openDriver(target: Target, access: FolderAccess): Driver {
  refuseForeignHost(target, access)
  return DRIVERS[target.kind](target, access)
}

/** Throws a StoreRefusal for an invalid target, without connecting. */
export function checkTarget(target: Target, access: FolderAccess): void {
  if (target.kind === 'sqlite') sqliteFileOf(target, access)
  if (target.kind === 'parquet') parquetFolderOf(target, access)
  openDriver(target, access)
}

/** The abilities of a connection; undefined for an invalid target. */
export function abilitiesOf(target: Target, access: FolderAccess): Abilities | undefined {
  try {
    return openDriver(target, access).can
  } catch (thrown) {
    if (thrown instanceof StoreRefusal) return undefined
    throw thrown
  }
}

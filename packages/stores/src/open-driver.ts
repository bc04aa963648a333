import { createParquetDriver } from '#parquet/driver.ts'
import { parquetFolderOf } from '#parquet/folder.ts'
import { createPostgresDriver } from '#postgres/driver.ts'
import { createRedisDriver } from '#redis/driver.ts'
import { createSqliteDriver, sqliteFileOf } from '#sqlite/driver.ts'

import { refuseForeignHost } from './allowed-hosts.ts'
import type { ConnectionConfig, Driver, DriverCapabilities, FolderAccess, StoreKind } from './driver.ts'
import { StoreRefusal } from './store-refusal.ts'

type OpenDriver = (config: ConnectionConfig, access: FolderAccess) => Driver

const DRIVERS: Record<StoreKind, OpenDriver> = {
  sqlite: createSqliteDriver,
  postgresql: createPostgresDriver,
  redis: createRedisDriver,
  parquet: createParquetDriver,
}

/** Creates the driver of a connection without connecting. Throws a StoreRefusal for an invalid configuration. */
export function openDriver(config: ConnectionConfig, access: FolderAccess): Driver {
  refuseForeignHost(config, access)
  return DRIVERS[config.kind](config, access)
}

/** Throws a StoreRefusal for an invalid configuration, without connecting. */
export function checkConfig(config: ConnectionConfig, access: FolderAccess): void {
  if (config.kind === 'sqlite') sqliteFileOf(config, access)
  if (config.kind === 'parquet') parquetFolderOf(config, access)
  openDriver(config, access)
}

/** The capabilities of a connection; undefined for an invalid configuration. */
export function capabilitiesOf(
  config: ConnectionConfig,
  access: FolderAccess,
): DriverCapabilities | undefined {
  try {
    return openDriver(config, access).capabilities
  } catch (thrown) {
    if (thrown instanceof StoreRefusal) return undefined
    throw thrown
  }
}

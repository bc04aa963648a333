import type { Abilities, Driver, Places, StoreKind, Target } from './driver.ts'
import { createParquetDriver } from './parquet/parquet-driver.ts'
import { parquetFolderOf } from './parquet/parquet-folder.ts'
import { createPostgresDriver } from './postgres/postgres-driver.ts'
import { createRedisDriver } from './redis/redis-driver.ts'
import { createSqliteDriver } from './sqlite/sqlite-driver.ts'
import { sqliteFileOf } from './sqlite/sqlite-file.ts'
import { StoreRefusal } from './store-refusal.ts'

type OpenDriver = (target: Target, places: Places) => Driver

const DRIVERS: Record<StoreKind, OpenDriver> = {
  sqlite: createSqliteDriver,
  postgresql: createPostgresDriver,
  redis: createRedisDriver,
  parquet: createParquetDriver,
}

/** The driver of a connection. It reaches nothing yet; what is wrong with the target itself is a StoreRefusal. */
export function openDriver(target: Target, places: Places): Driver {
  return DRIVERS[target.kind](target, places)
}

/** Refuses a target that leads nowhere, by a StoreRefusal, without reaching the store. */
export function checkTarget(target: Target, places: Places): void {
  if (target.kind === 'sqlite') sqliteFileOf(target, places)
  if (target.kind === 'parquet') parquetFolderOf(target, places)
  openDriver(target, places)
}

/** What a connection can do, for a list that must not fail for one bad target. */
export function abilitiesOf(target: Target, places: Places): Abilities | undefined {
  try {
    return openDriver(target, places).can
  } catch (thrown) {
    if (thrown instanceof StoreRefusal) return undefined
    throw thrown
  }
}

import type { Driver, Places, StoreKind, Target } from './driver.ts'
import { createPostgresDriver } from './postgres/postgres-driver.ts'
import { createRedisDriver } from './redis/redis-driver.ts'
import { createSqliteDriver } from './sqlite/sqlite-driver.ts'
import { StoreRefusal } from './store-refusal.ts'

type OpenDriver = (target: Target, places: Places) => Driver

const DRIVERS: Partial<Record<StoreKind, OpenDriver>> = {
  sqlite: createSqliteDriver,
  postgresql: createPostgresDriver,
  redis: createRedisDriver,
}

/** The driver of a connection. It reaches nothing yet; what is wrong with the target itself is a StoreRefusal. */
export function openDriver(target: Target, places: Places): Driver {
  const open = DRIVERS[target.kind]
  if (open === undefined) {
    throw new StoreRefusal('store.unsupported', `This version has no driver for ${target.kind}.`)
  }
  return open(target, places)
}
